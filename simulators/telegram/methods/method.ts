import { z } from "zod";
import type { Ledger } from "../ledger.ts";
import { badRequest, type Refusal } from "../refusal.ts";
import type { World } from "../world.ts";

export interface Call {
  readonly world: World;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** The message that this call sent, if any. */
  accepted?: ReturnType<Ledger["accept"]>;
}

/** Returns the result, or throws a Refusal. */
export type Method = (call: Call) => unknown;

/** A JSON parameter: a value in a JSON body, or serialised in a query. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (typeof value === "string" ? parseJson(value) : value), schema).optional();
}

export const text = z
  .preprocess((value) => (typeof value === "number" ? String(value) : value), z.string())
  .optional();
export const integer = json(z.int());
export const flag = json(z.boolean());
export const noParameters = z.strictObject({});

/** Validates the parameters. Unknown ones are refused, to catch misspellings. */
export function readParameters<Schema extends z.ZodObject>(
  { parameters }: Call,
  schema: Schema,
): z.output<Schema> {
  const read = schema.safeParse(parameters);
  if (!read.success) throw refusalOf(read.error.issues[0]);
  return read.data;
}

function refusalOf(issue: z.core.$ZodIssue | undefined): Refusal {
  if (issue?.code === "unrecognized_keys") {
    return badRequest(`the simulator does not know "${issue.keys[0]}"`);
  }
  const field = String(issue?.path.at(-1));
  const where = issue?.path.includes("inline_keyboard") ? "can't parse inline keyboard button: " : "";
  if (issue?.code !== "invalid_type") return badRequest(`${where}wrong parameter ${field} in request`);
  if (issue.message.endsWith("received undefined")) return badRequest(`${where}Can't find field "${field}"`);
  const expected = issue.expected.replace(/^./, (letter) => letter.toUpperCase());
  return badRequest(`${where}Field "${field}" must be of type ${expected}`);
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
