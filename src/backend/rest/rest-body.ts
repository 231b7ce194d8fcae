import { restError } from "./rest-error.ts";

const MAX_ROWS = 1_000;
// PostgreSQL can keep every character but this.
const NULL_CHARACTER = /(?<!\\)(?:\\\\)*\\u0000/;

/** The body to hand on, written anew, or the answer that refuses it. */
export async function readRestBody(request: Request): Promise<string | Response | undefined> {
  if (request.method !== "POST" && request.method !== "PATCH") return undefined;
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength === 0) return undefined;
  const type = request.headers.get("content-type");
  if (type && !/^application\/json\s*(?:;|$)/i.test(type)) {
    return restError({ status: 415, code: "PGRST102", message: "Content-Type must be application/json" });
  }
  const body = written(bytes);
  if (body === undefined) return badBody("The body is no JSON in UTF-8");
  if (!body.isRows) return badBody(`The body must be a JSON object, or up to ${MAX_ROWS} of them in a list`);
  return NULL_CHARACTER.test(body.text) ? badBody("The body holds a null character") : body.text;
}

const badBody = (message: string) => restError({ status: 400, code: "PGRST102", message });

function written(bytes: ArrayBuffer): { text: string; isRows: boolean } | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const rows = Array.isArray(value) ? value : [value];
    return { text: JSON.stringify(value), isRows: rows.length <= MAX_ROWS && rows.every(isObject) };
  } catch (error) {
    // No UTF-8, no JSON, or nested so deeply that it cannot be written again.
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError)
      return undefined;
    throw error;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
