/**
 * Codecs of the callback data of buttons. A button is a letter and fields, separated by colons. Telegram allows 64 bytes, and anyone
 * can forge them: each codec reads only the spelling that it writes.
 */
import type { Point } from "#core/geo/polyline.ts";

export interface FieldCodec<Value> {
  /** Undefined for what does not fit into a button. */
  write(value: Value): string | undefined;
  /** Undefined for what `write` does not write. */
  read(text: string): Value | undefined;
}

type Fields = Readonly<Record<string, FieldCodec<unknown>>>;

export interface ButtonRow<Of extends Fields = Fields> {
  readonly letter: string;
  readonly fields: Of;
}

type ValueOf<Codec> = Codec extends FieldCodec<infer Value> ? Value : never;

/** The presses of a table of buttons, by the act that is their key. */
export type PressesOf<Rows> = {
  [Act in keyof Rows]: Rows[Act] extends ButtonRow<infer Of>
    ? { readonly act: Act } & { readonly [Name in keyof Of]: ValueOf<Of[Name]> }
    : never;
}[keyof Rows];

/** The letter is in people's chats: it never gets another meaning. The last field may contain colons. */
export const row = <Of extends Fields>(letter: string, fields: Of): ButtonRow<Of> => ({ letter, fields });

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const PACKED_UUID = /^[\w-]{22}$/;

/** 22 characters instead of 36. */
export const uuid: FieldCodec<string> = {
  write: (id) =>
    UUID.test(id) ? Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url") : undefined,
  read: (packed) => {
    if (!PACKED_UUID.test(packed)) return undefined;
    const bytes = Buffer.from(packed, "base64url");
    // The last character has four unused bits. Accept only the spelling that is written.
    if (bytes.toString("base64url") !== packed) return undefined;
    const hex = bytes.toString("hex");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  },
};

export function oneOf<Value extends string>(values: readonly Value[]): FieldCodec<Value> {
  return { write: (value) => value, read: (text) => values.find((value) => value === text) };
}

/** One of a few values, each written as a letter. */
export function lettered<Value extends string>(letters: Readonly<Record<Value, string>>): FieldCodec<Value> {
  const values = Object.keys(letters) as Value[];
  return {
    write: (value) => letters[value],
    read: (text) => values.find((value) => letters[value] === text),
  };
}

/** Only as the last field: null is left out. */
export function optional<Value>(codec: FieldCodec<Value>): FieldCodec<Value | null> {
  return {
    write: (value) => (value === null ? "" : codec.write(value)),
    read: (text) => (text === "" ? null : codec.read(text)),
  };
}

/** Five decimals are about a metre. */
export const point: FieldCodec<Point> = {
  write: formatPoint,
  read: (text) => {
    const [, latitude, longitude] = /^(-?\d{1,2}\.\d{5}),(-?\d{1,3}\.\d{5})$/.exec(text) ?? [];
    const read = { latitude: Number(latitude), longitude: Number(longitude) };
    return isOnEarth(read) && formatPoint(read) === text ? read : undefined;
  },
};

export function formatPoint({ latitude, longitude }: Point): string {
  return [latitude, longitude].map((degrees) => (Math.round(degrees * 1e5) / 1e5 + 0).toFixed(5)).join(",");
}

export function isOnEarth({ latitude, longitude }: Point): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

const LONGEST = 64;

/** Undefined if a field is malformed or the whole is too long. */
export function writeButton({ letter, fields }: ButtonRow, press: object): string | undefined {
  const values = Object.entries(fields).map(([name, codec]) => {
    return codec.write((press as Readonly<Record<string, unknown>>)[name]);
  });
  if (values.includes(undefined)) return undefined;
  // A field that is left out is the last one.
  const text = [letter, ...values.slice(0, -1), ...values.slice(-1).filter((last) => last !== "")].join(":");
  return Buffer.byteLength(text) <= LONGEST ? text : undefined;
}

/** The fields of the data after the letter; undefined for what `writeButton` does not write. */
export function readButton({ letter, fields }: ButtonRow, text: string): object | undefined {
  const names = Object.keys(fields);
  const parts = text.split(":");
  const last = parts.slice(names.length).join(":");
  const values = [...parts.slice(1, names.length), ...(parts.length > names.length ? [last] : [])];
  const read = names.map((name, n) => [name, fields[name]?.read(values[n] ?? "")] as const);
  if (read.some(([, value]) => value === undefined)) return undefined;
  const press = Object.fromEntries(read);
  return writeButton({ letter, fields }, press) === text ? press : undefined;
}
