import type { SupabaseClient, SupabaseClientOptions } from "@supabase/supabase-js";
import type { createTabStorage } from "../browser/storage.ts";
import { APP_SESSION_KEY, appStorage } from "../mini-app/app-storage.ts";
import { isInApp } from "../mini-app/is-in-app.ts";
import { loadConfig } from "./site-config.ts";
import type { TypedDatabase } from "./typed-database.ts";

export type Supabase = SupabaseClient<TypedDatabase>;

type Listener = (client: Supabase) => void;

const listeners = new Set<Listener>();
let connected: Supabase | undefined;
let connecting: Promise<Supabase> | undefined;

/** The client of the page. Loaded when first needed, because it is almost as large as React. */
export function loadSupabase(): Promise<Supabase> {
  connecting ??= connect().catch((error: unknown) => {
    connecting = undefined;
    throw error;
  });
  return connecting;
}

/** Calls back when the client is loaded, without loading it. */
export function onClientLoaded(listener: Listener): () => void {
  if (connected) listener(connected);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface SecondClient {
  /** Must differ from the key of the page's own session. */
  storageKey: string;
  /** Without storage the session ends with the page. */
  storage?: ReturnType<typeof createTabStorage>;
  flowType?: "implicit" | "pkce";
}

/** A second client, for a session that must not become the page's. It is not refreshed. */
export function createSecondClient(options: SecondClient): Promise<Supabase> {
  return makeClient({ ...options, persistSession: options.storage !== undefined, autoRefreshToken: false });
}

/** Returns the data of a supabase-js answer, or throws its error. Our database gives the reason in `details`. */
export function dataOf<
  A extends { data: unknown; status: number; error: { message: string; details: string } | null },
>(answer: A): Extract<A, { error: null }>["data"] {
  if (!answer.error) return answer.data;
  const { message, details } = answer.error;
  throw Object.assign(new Error(message, { cause: answer.error }), { code: details, status: answer.status });
}

/** For auth calls, whose errors carry a code that callers translate. */
export function authDataOf<A extends { data: unknown; error: Error | null }>(
  answer: A,
): Extract<A, { error: null }>["data"] {
  if (answer.error) throw answer.error;
  return answer.data;
}

/** The server's error code; empty if it has none, or if the server was not reached. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" && /^[\w-]+$/.test(code) ? code : "";
}

const NETWORK_FAILURE =
  /^(FetchError|NetworkError|AbortError|TimeoutError)\b|failed to fetch|load failed|network ?error|module/i;

/**
 * Whether a request or an import got no answer at all. supabase-js wraps what `fetch` throws. By the message alone: `fetch`
 * throws a TypeError, and so does a mistake of ours.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "AuthRetryableFetchError" || NETWORK_FAILURE.test(error.message);
}

/** Too many requests, or a server that is starting or cannot be reached by its proxy. */
const LATER: readonly unknown[] = [429, 502, 503, 504];

/** Whether the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return (
    isUnreachable(error) || (error instanceof Error && "status" in error && LATER.includes(error.status))
  );
}

async function connect(): Promise<Supabase> {
  const isApp = isInApp(window.location.pathname);
  const client = await makeClient(isApp ? { storageKey: APP_SESSION_KEY, storage: appStorage } : {});
  connected = client;
  for (const listener of listeners) listener(client);
  return client;
}

async function makeClient(auth: SupabaseClientOptions<"public">["auth"]): Promise<Supabase> {
  const [config, { createClient }] = await Promise.all([loadConfig(), import("@supabase/supabase-js")]);
  return createClient<TypedDatabase>(
    new URL(config.supabaseUrl, window.location.origin).href,
    config.publishableKey,
    // The session provider and the reset page read the address themselves, and clean it before they await anything.
    { auth: { ...auth, detectSessionInUrl: false } },
  );
}
