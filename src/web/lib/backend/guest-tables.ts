import type { PostgrestClient } from "@supabase/postgrest-js";
import { loadConfig } from "./site-config.ts";
import type { TypedDatabase } from "./typed-database.ts";

type Tables = PostgrestClient<TypedDatabase>;

let connecting: Promise<Tables> | undefined;

/**
 * Reads tables as a guest with postgrest-js alone: supabase-js is six times larger, and a visitor needs neither sign-in
 * nor realtime.
 */
export function loadGuestTables(): Promise<Tables> {
  connecting ??= connect().catch((error: unknown) => {
    connecting = undefined;
    throw error;
  });
  return connecting;
}

async function connect(): Promise<Tables> {
  const [config, { PostgrestClient }] = await Promise.all([loadConfig(), import("@supabase/postgrest-js")]);
  const address = new URL("rest/v1", withSlash(new URL(config.supabaseUrl, window.location.origin).href));
  return new PostgrestClient<TypedDatabase>(address.href, { headers: { apikey: config.publishableKey } });
}

function withSlash(address: string): string {
  return address.endsWith("/") ? address : `${address}/`;
}
