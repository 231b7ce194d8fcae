import { DEMO_FILTER_ID } from "#core/demo-filter.ts";
import { DEMO_LISTING_LIMIT } from "../../lib/constants.ts";
import { loadGuestTables } from "../../lib/guest-tables.ts";
import { dataOf, loadSupabase } from "../../lib/supabase.ts";
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

/** Calls back on each new listing of this person. */
export async function followOwnListings(userId: string, onInsert: () => void): Promise<() => void> {
  const supabase = await loadSupabase();
  const channel = supabase
    .channel(`listings-of-${userId}`)
    .on(
      "postgres_changes",
      { event: "INSERT", schema: "public", table: "listings", filter: `user_id=eq.${userId}` },
      onInsert,
    )
    .subscribe();
  return () => void supabase.removeChannel(channel);
}
