// Parses a request once: the query into a map of unique names, the body into a typed value. Handlers never see the raw
// URL or bytes.
import type { z } from "zod";
import { readQueryString } from "../query-string.ts";
import { JsonFault, parseJson, readBytes } from "../read-body.ts";
import { authError } from "./auth-error.ts";

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

/** Refuses a body that asks for something this server does not offer. */
export type RefuseBody = (body: object) => Response | undefined;

export async function readBody<Body>(
  request: Request,
  schema: z.ZodType<Body>,
  refuse?: RefuseBody,
): Promise<Body | Response> {
  // Another site's page can send a form or plain text without a preflight, but not JSON.
  if (!request.headers.get("content-type")?.startsWith("application/json")) {
    return authError(415, "validation_failed", "Content-Type must be application/json");
  }
  const bytes = await readBytes(request);
  if (bytes === "too large") return bodyTooLarge();
  if (bytes === "cut off") return authError(400, "bad_json", "The request body is incomplete");
  const value = parseObject(bytes);
  if (value instanceof Response) return value;
  const refusal = refuse?.(value);
  if (refusal) return refusal;
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

function parseObject(bytes: Uint8Array): object | Response {
  try {
    const value = parseJson(bytes, { maxDepth: MAX_DEPTH });
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : noObject();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const said = JSON_FAULTS[error.fault];
    return said === undefined ? noObject() : authError(400, "validation_failed", said);
  }
}

const noObject = () => authError(400, "bad_json", "Could not parse request body as a JSON object");

const JSON_FAULTS: Record<JsonFault["fault"], string | undefined> = {
  syntax: undefined,
  depth: "The body is nested too deeply",
  elements: "The body has too many elements",
  text: "The body holds a character that cannot be stored",
  number: "The body holds a number that is too large",
};

/** The rest of the body is not read, so the connection cannot serve another request. */
const bodyTooLarge = () =>
  authError(413, "validation_failed", "Request body is too large", { connection: "close" });

/** The origin of a request, for sessions and events. */
export type Caller = { address: string; userAgent: string | null };

export function callerOf(request: Request, address: string): Caller {
  const userAgent = request.headers.get("user-agent")?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null;
  return { address, userAgent };
}
