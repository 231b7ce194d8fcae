import { SourceError } from "#core/ports/source.ts";

export interface HttpRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface HttpLimits {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

export const HTTP_LIMITS: HttpLimits = {
  fetch: (input, init) => fetch(input, init),
  timeoutMs: 10_000,
  maxBodyBytes: 5 * 1024 * 1024,
};

/**
 * Sends a request and reads the whole answer, within limits. Redirects are not followed. The body is counted after
 * decompression, so that a small answer cannot fill the memory.
 */
export async function exchange(
  source: string,
  request: HttpRequest,
  limits: HttpLimits,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  try {
    const response = await limits.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: "manual",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const text = await readCapped(source, response, limits.maxBodyBytes);
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    if (error instanceof SourceError) throw error;
    signal?.throwIfAborted();
    const detail = timeout.aborted ? `no answer within ${limits.timeoutMs} ms` : connectionError(error);
    throw new SourceError(source, "unreachable", { detail, cause: error });
  }
}

async function readCapped(source: string, response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) {
      // Leaving the loop cancels the stream: the rest is neither downloaded nor decompressed.
      throw new SourceError(source, "not-understood", { detail: `answer larger than ${maxBytes} bytes` });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The system's error code (ECONNREFUSED, ENOTFOUND). Not the message, which may contain the URL. */
function connectionError(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : "connection failed";
}
