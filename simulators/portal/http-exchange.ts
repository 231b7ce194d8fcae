import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

const BODY_LIMIT = 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_LIMIT) {
      throw new RangeError("request body too large");
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Parameters from the query and from a urlencoded or multipart body: the API takes them from all three. */
export async function readParameters(
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<Map<string, string>> {
  const parameters = new Map(query);
  const body = await readBody(request);
  const type = request.headers["content-type"] ?? "";
  if (body.length > 0 && /^(multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type)) {
    const response = new Response(new Uint8Array(body), { headers: { "content-type": type } });
    // A body that cannot be read brings no parameters, and the search says which it misses.
    const form = await response.formData().catch(() => new FormData());
    for (const [name, value] of form) {
      if (typeof value === "string") {
        parameters.set(name, value);
      }
    }
  }
  return parameters;
}

export interface Sending {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends only this share of the body, then cuts the connection's message short. */
  readonly isTruncated?: boolean;
}

export function send(request: IncomingMessage, response: ServerResponse, sending: Sending): void {
  const full = Buffer.from(sending.body);
  const bytes = sending.isTruncated ? full.subarray(0, Math.floor(full.length * 0.6)) : full;
  const headers: Record<string, string> = {
    "content-type": "application/json;charset=UTF-8",
    ...sending.headers,
  };
  const takesGzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  if (takesGzip && bytes.length > 1024 && headers["content-encoding"] === undefined) {
    response.writeHead(sending.status, { ...headers, "content-encoding": "gzip" });
    response.end(gzipSync(bytes, { level: 1 }));
    return;
  }
  response.writeHead(sending.status, headers);
  response.end(bytes);
}
