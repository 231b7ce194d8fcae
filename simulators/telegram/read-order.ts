import { ControlRefusal } from "./phone/control-refusal.ts";

type Kind = "string" | "number" | "boolean" | "object";
type ValueOf<K extends Kind> = K extends "string"
  ? string
  : K extends "number"
    ? number
    : K extends "boolean"
      ? boolean
      : Record<string, unknown>;
type Shape = Readonly<Record<string, Kind | `${Kind}?`>>;
type Order<S extends Shape> = {
  readonly [Name in keyof S as S[Name] extends `${string}?` ? never : Name]: S[Name] extends Kind
    ? ValueOf<S[Name]>
    : never;
} & {
  readonly [Name in keyof S as S[Name] extends `${string}?`
    ? Name
    : never]?: S[Name] extends `${infer K extends Kind}?` ? ValueOf<K> : never;
};

/** A control request's body, checked field by field; a field nobody knows is a mistake worth telling. */
export function readOrder<S extends Shape>(body: Readonly<Record<string, unknown>>, shape: S): Order<S> {
  for (const name of Object.keys(body)) {
    if (!(name in shape)) throw new ControlRefusal(400, "bad-order", `"${name}" is not known here`);
  }
  for (const [name, kind] of Object.entries(shape)) {
    const value = body[name];
    const isMissing = value === undefined || value === null;
    if (isMissing ? !kind.endsWith("?") : typeof value !== kind.replace("?", "")) {
      throw new ControlRefusal(400, "bad-order", `"${name}" must be a ${kind.replace("?", "")}`);
    }
  }
  const given = Object.entries(body).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given) as Order<S>;
}
