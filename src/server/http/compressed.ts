import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { accepts } from "./web-app.ts";

/** Smaller responses fit in two packets anyway. */
const LEAST_BYTES = 2_000;
const pack = promisify(gzip);

/** Compresses a large response if the client accepts it. */
export async function compressed(answer: Response, acceptEncoding: string | undefined): Promise<Response> {
  if (!accepts(acceptEncoding, "gzip") || !answer.body || answer.headers.has("content-encoding"))
    return answer;
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const { status } = answer;
  const headers = new Headers(answer.headers);
  headers.append("vary", "accept-encoding");
  if (bytes.length < LEAST_BYTES) return new Response(bytes, { status, headers });
  headers.set("content-encoding", "gzip");
  headers.delete("content-length");
  return new Response(Uint8Array.from(await pack(bytes, { level: 5 })), { status, headers });
}
