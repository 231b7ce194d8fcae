import type { IncomingMessage } from "node:http";
import { badRequest, Refusal } from "./refusal.ts";

/** What a request asks, whichever of the four ways it was sent in. */
export interface Parameters {
  readonly values: ReadonlyMap<string, unknown>;
  readonly files: ReadonlyMap<string, File>;
}

const BODY_LIMIT = 50 * 1024 * 1024;

/** From the query, and from a JSON, urlencoded or multipart body; the body's word counts over the query's. */
export async function readParameters(request: IncomingMessage, query: URLSearchParams): Promise<Parameters> {
  const values = new Map<string, unknown>(query);
  const files = new Map<string, File>();
  const body = await readBody(request);
  const type = (request.headers["content-type"] ?? "").toLowerCase();
  if (body.length === 0) return { values, files };
  if (type.startsWith("application/json")) {
    for (const [name, value] of Object.entries(parseObject(body.toString("utf8")))) values.set(name, value);
  } else if (/^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)) {
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => undefined);
    if (form === undefined) throw badRequest("can't parse the request body");
    for (const [name, value] of form) {
      if (typeof value === "string") values.set(name, value);
      else files.set(name, value);
    }
  }
  return { values, files };
}

/** A word of the request; JSON may bring it as a number or a truth value. */
export function readString({ values }: Parameters, name: string): string | undefined {
  const value = values.get(name);
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function readInteger(parameters: Parameters, name: string): number | undefined {
  const text = readString(parameters, name)?.trim();
  return text !== undefined && /^-?\d{1,19}$/.test(text) ? Number(text) : undefined;
}

export function readBoolean(parameters: Parameters, name: string): boolean {
  const text = readString(parameters, name)?.trim().toLowerCase();
  return text === "true" || text === "yes" || text === "1";
}

/** A part that is JSON: as it stands in a JSON body, or written out as text in a form. */
export function readJson(parameters: Parameters, name: string): unknown {
  const value = parameters.values.get(name);
  if (typeof value !== "string") return value ?? undefined;
  if (value.trim() === "") return undefined;
  try {
    return JSON.parse(value);
  } catch {
    throw badRequest(`can't parse ${name.replaceAll("_", " ")} JSON object`);
  }
}

/** A JSON part that must be an object if it is there at all. */
export function readObject(parameters: Parameters, name: string): Record<string, unknown> | undefined {
  const value = readJson(parameters, name);
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest(`object expected as ${name.replaceAll("_", " ")}`);
  }
  return value as Record<string, unknown>;
}

/** A truth value inside a JSON object, where only true and false will do. */
export function readFlag(object: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = object[name] ?? false;
  if (typeof value !== "boolean") throw badRequest(`field "${name}" must be of type Boolean`);
  return value;
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest("can't parse JSON object");
  }
  return value as Record<string, unknown>;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new Refusal(413, "Request Entity Too Large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
