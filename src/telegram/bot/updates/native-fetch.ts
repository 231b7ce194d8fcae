import type { ApiClientOptions } from "grammy";

type LibraryFetch = NonNullable<ApiClientOptions["fetch"]>;

/**
 * Makes grammY use Node's fetch. The node-fetch it brings notices a response that breaks off only at the timeout. We send
 * JSON and one file, so nothing else of the request needs to be passed on.
 */
export const nativeFetch = (async (url: string, { method, headers, body, signal }: LibraryRequest) =>
  fetch(url, {
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { body }),
    // Required for a stream, which a file is sent as.
    ...(typeof body === "object" ? { duplex: "half" } : {}),
    headers: { "content-type": headers?.["content-type"] ?? "application/json" },
    ...(signal === undefined ? {} : { signal: nativeSignalOf(signal) }),
  })) as unknown as LibraryFetch;

interface LibraryRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | ReadableStream;
  readonly signal?: LibrarySignal;
}

/** grammY's signals are a polyfill, which Node's fetch does not accept. */
interface LibrarySignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
}

function nativeSignalOf(signal: LibrarySignal): AbortSignal {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  signal.addEventListener("abort", () => controller.abort());
  return controller.signal;
}
