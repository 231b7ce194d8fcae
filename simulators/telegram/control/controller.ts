import type { World } from "../world.ts";

export interface ControlRequest {
  readonly method: string;
  /** The path below /control, in parts. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

export type Controller = (world: World, request: ControlRequest) => ControlAnswer;

export function unknownRoute({ method, path }: ControlRequest): ControlAnswer {
  const message = `${method} /control/${path.join("/")}`;
  return { status: 404, body: { error: "unknown-route", message } };
}
