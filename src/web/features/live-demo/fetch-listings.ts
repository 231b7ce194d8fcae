import type { PostgrestClient } from "@supabase/postgrest-js";
import type { Database } from "#core/database-types.ts";
import { DEMO_FILTER_ID } from "#core/search/demo-filter.ts";
import { loadConfig } from "#web/lib/backend/site-config.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { DEMO_LISTING_LIMIT } from "#web/lib/site/constants.ts";
import { type DemoListing, demoListingOf } from "./demo-listing.ts";

/** A signed-in person's own latest listings. */
export async function fetchOwnListings(userId: string): Promise<DemoListing[]> {
  const supabase = await loadSupabase();
  const rows = dataOf(
    await supabase
      .from("listings")
      .select("id:listing_id, created_at, details")
      .eq("user_id", userId)
      .order("created_at", { ascending: false })
      .limit(DEMO_LISTING_LIMIT)
      // The sample stands in at once, and the next reload tries again.
      .retry(false),
  );
  return rows.map((row) => demoListingOf(row, new Date()));
}

/** What guests see: the latest of the one demo filter. */
export async function fetchDemoListings(): Promise<DemoListing[]> {
  const tables = await loadGuestTables();
  const rows = dataOf(
    await tables
      .from("demo_listings")
      .select("id:demo_id, created_at, details")
      .eq("filter_id", DEMO_FILTER_ID)
      .order("created_at", { ascending: false })
      .limit(DEMO_LISTING_LIMIT)
      .retry(false),
  );
  return rows.map((row) => demoListingOf(row, new Date()));
}

type Tables = PostgrestClient<Database>;

let connecting: Promise<Tables> | undefined;

/**
 * What a guest may read, through the tables part of supabase-js alone: the whole of it weighs six times as much,
 * and a visitor who only looks needs neither its sign-in nor its realtime.
 */
function loadGuestTables(): Promise<Tables> {
  connecting ??= connect().catch((error: unknown) => {
    connecting = undefined;
    throw error;
  });
  return connecting;
}

async function connect(): Promise<Tables> {
  const [config, { PostgrestClient }] = await Promise.all([loadConfig(), import("@supabase/postgrest-js")]);
  const address = new URL("rest/v1", withSlash(new URL(config.supabaseUrl, window.location.origin).href));
  return new PostgrestClient<Database>(address.href, { headers: { apikey: config.publishableKey } });
}

function withSlash(address: string): string {
  return address.endsWith("/") ? address : `${address}/`;
}
