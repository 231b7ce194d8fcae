// Parses a request once: the query into a map of unique names, the body into a typed value. Handlers never see the raw
// URL or bytes.
import type { z } from "zod";
import { readQueryString } from "../query-string.ts";
import { authError } from "./auth-error.ts";

const MAX_BODY_BYTES = 64 * 1024;
/** Far more than our pages send, and too little to overflow the stack of JSON.stringify. */
const MAX_DEPTH = 32;
const MAX_USER_AGENT_CHARACTERS = 400;

export type QueryValues = ReadonlyMap<string, string>;

export type QueryNames = {
  names: readonly string[];
  /** Providers add parameters of their own; our pages do not. */
  ignoresOthers?: boolean;
};

/** The values by name, or a description of what is wrong. */
export function readQuery(
  search: string,
  { names, ignoresOthers = false }: QueryNames,
): QueryValues | string {
  const pairs = readQueryString(search);
  if (!pairs) return "The query is not well encoded";
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (!names.includes(name)) {
      if (ignoresOthers) continue;
      return "The query has a name that this route does not know";
    }
    if (values.has(name)) return `${name} is given more than once`;
    values.set(name, value);
  }
  return values;
}

// PostgreSQL cannot store null characters or lone surrogates.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1)));

const isStorable = (value: unknown) => !UNSTORABLE.test(JSON.stringify(value));

export async function readBody<Body>(request: Request, schema: z.ZodType<Body>): Promise<Body | Response> {
  // Another site's page can send a form or plain text without a preflight, but not JSON.
  if (!request.headers.get("content-type")?.startsWith("application/json")) {
    return authError(415, "validation_failed", "Content-Type must be application/json");
  }
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > MAX_BODY_BYTES)
    return authError(413, "validation_failed", "Request body is too large");
  const value = parseObject(bytes);
  if (!value) return authError(400, "bad_json", "Could not parse request body as a JSON object");
  if (isDeeper(value, MAX_DEPTH)) return authError(400, "validation_failed", "The body is nested too deeply");
  if (!isStorable(value)) {
    return authError(400, "validation_failed", "The body holds a character that cannot be stored");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  return faultIn(parsed.error);
}

/** The first fault, with the code that its part of the schema names. */
export function faultIn({ issues: [issue] }: z.ZodError): Response {
  const code: unknown = issue?.code === "custom" ? issue.params?.code : undefined;
  const message = issue?.message ?? "The body is not valid";
  return authError(400, typeof code === "string" ? code : "validation_failed", message);
}

function parseObject(bytes: ArrayBuffer): object | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The origin of a request, for sessions and events. */
export type Caller = { address: string; userAgent: string | null };

export function callerOf(request: Request, address: string): Caller {
  const userAgent = request.headers.get("user-agent")?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null;
  return { address, userAgent };
}
