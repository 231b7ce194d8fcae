import { DEMO_FILTER_ID } from "#core/search/demo-filter.ts";
import { loadGuestTables } from "#web/lib/backend/guest-tables.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { DEMO_LISTING_LIMIT } from "#web/lib/site/constants.ts";
import { type ShownListing, shownListingOf } from "./demo-listing.ts";

export async function fetchOwnListings(userId: string): Promise<ShownListing[]> {
  const supabase = await loadSupabase();
  const rows = dataOf(
    await supabase
      .from("listings")
      .select("id:listing_id, created_at, details")
      .eq("user_id", userId)
      .order("created_at", { ascending: false })
      .limit(DEMO_LISTING_LIMIT)
      // The sample is shown at once, and the next reload tries again.
      .retry(false),
  );
  return rows.map((row) => shownListingOf(row, new Date()));
}

/** Without a search there is nothing to wait for. A person with any search has a row in filter_settings. */
export async function hasSearch(userId: string): Promise<boolean> {
  const supabase = await loadSupabase();
  const rows = dataOf(
    await supabase.from("filter_settings").select("user_id").eq("user_id", userId).limit(1).retry(false),
  );
  return rows.length > 0;
}

export async function fetchDemoListings(): Promise<ShownListing[]> {
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
  return rows.map((row) => shownListingOf(row, new Date()));
}
