import type { SupabaseClient, SupabaseClientOptions } from "@supabase/supabase-js";
import type { createTabStorage } from "../browser/storage.ts";
import { loadConfig } from "./site-config.ts";
import type { TypedDatabase } from "./typed-database.ts";

export type Supabase = SupabaseClient<TypedDatabase>;

type Listener = (client: Supabase) => void;

const listeners = new Set<Listener>();
let connected: Supabase | undefined;
let connecting: Promise<Supabase> | undefined;

/** The one client of the page. Loaded when first needed: it weighs almost as much as React itself. */
export function loadSupabase(): Promise<Supabase> {
  connecting ??= connect().catch((error: unknown) => {
    connecting = undefined;
    throw error;
  });
  return connecting;
}

/** Tells of the client as soon as someone has loaded it, without loading it. */
export function whenConnected(listener: Listener): () => void {
  if (connected) listener(connected);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface Apart {
  /** Names what it keeps; the page's own session has another. */
  storageKey: string;
  /** Without one, its session ends with the page. */
  storage?: ReturnType<typeof createTabStorage>;
  flowType?: "implicit" | "pkce";
}

/** A client beside the page's own, for a session that must not become the page's. It is refreshed by nobody. */
export function connectApart(apart: Apart): Promise<Supabase> {
  return makeClient({ ...apart, persistSession: apart.storage !== undefined, autoRefreshToken: false });
}

/** Unwraps supabase-js's pair: data, or the error thrown. Our database says in the details why not. */
export function dataOf<A extends { data: unknown; error: { message: string; details: string } | null }>(
  answer: A,
): Extract<A, { error: null }>["data"] {
  if (!answer.error) return answer.data;
  const { message, details } = answer.error;
  throw Object.assign(new Error(message, { cause: answer.error }), { code: details });
}

/** For auth calls, whose errors carry a code that callers translate. */
export function authDataOf<A extends { data: unknown; error: Error | null }>(
  answer: A,
): Extract<A, { error: null }>["data"] {
  if (answer.error) throw answer.error;
  return answer.data;
}

/** The word by which the server says why not; empty when it has none, or was not reached. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" && /^[\w-]+$/.test(code) ? code : "";
}

async function connect(): Promise<Supabase> {
  const client = await makeClient({});
  connected = client;
  for (const listener of listeners) listener(client);
  return client;
}

async function makeClient(auth: SupabaseClientOptions<"public">["auth"]): Promise<Supabase> {
  const [config, { createClient }] = await Promise.all([loadConfig(), import("@supabase/supabase-js")]);
  return createClient<TypedDatabase>(
    new URL(config.supabaseUrl, window.location.origin).href,
    config.publishableKey,
    // The session provider and the reset page read the address themselves, and wipe it before anything is awaited.
    { auth: { ...auth, detectSessionInUrl: false } },
  );
}
