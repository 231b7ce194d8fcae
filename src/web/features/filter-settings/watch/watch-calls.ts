import type { TitledHome } from "#text/home-words.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

/** As the database's `my_watch()` and `my_watches()` tell it. */
export interface Watch {
  /** The search's. */
  id: string;
  is_paused: boolean;
  /** A chat can be reached: without one nothing is asked for this filter alone. */
  can_tell: boolean;
  problem: "not-a-search" | "no-source" | null;
  begun_at: string | null;
  interval_seconds: number | null;
  is_served_by_mail: boolean;
  /** The month's requests are spent until then. */
  spent_until: string | null;
  last_ok_at: string | null;
  next_check_at: string | null;
  failing_since: string | null;
  failure_reason: string | null;
  found_last_day: number;
  alerts_sent: number;
  alerts_waiting: number;
  /** The source of the last alert that was sent, and when; null for those of before sources were noted. */
  last_told: { source: "official" | "by-url" | "mail"; at: string } | null;
  /** How soon alerts reached Telegram in the last thirty days; null under five of them. */
  freshness: { alerts: number; median_seconds: number; p95_seconds: number } | null;
  last_find: { listing_id: string; home: TitledHome; price_eur: number | null; at: string } | null;
  latest_alerts: LatestAlert[];
}

export interface LatestAlert {
  id: string;
  kind: "new" | "price-drop" | "back" | "readvertised" | "gone";
  state: "pending" | "sending" | "sent" | "merged" | "undeliverable" | "expired";
  created_at: string;
  listing_id: string | null;
  home: TitledHome | null;
  price_eur: number | null;
  url: string | null;
}

/** How the search fares. Of the first one the database has always told; of all of them at once only since there are others. */
export async function fetchWatch({
  id,
  isFirst,
}: Pick<SavedSearch, "id" | "isFirst">): Promise<Watch | null> {
  if (!isFirst) return (await fetchWatches()).find((watch) => watch.id === id) ?? null;
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_watch")) as Watch | null;
}

export async function fetchWatches(): Promise<Watch[]> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_watches")) as unknown as Watch[];
}
