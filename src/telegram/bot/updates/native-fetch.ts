import type { ApiClientOptions } from "grammy";

type LibraryFetch = NonNullable<ApiClientOptions["fetch"]>;

/**
 * Node's own fetch for the library, which brings an old one that notices an answer broken off halfway only when its
 * time is up. Only JSON is sent, so nothing else of the request is carried over.
 */
export const nativeFetch = (async (url: string, { method, headers, body, signal }: LibraryRequest) =>
  fetch(url, {
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { body }),
    headers: { "content-type": headers?.["content-type"] ?? "application/json" },
    ...(signal === undefined ? {} : { signal: nativeSignalOf(signal) }),
  })) as unknown as LibraryFetch;

interface LibraryRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: LibrarySignal;
}

/** The library's signals are its own, and Node's fetch takes only Node's. */
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
