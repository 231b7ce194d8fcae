import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

/** As the database's `my_watch()` tells it. */
export interface Watch {
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
  latest_alerts: LatestAlert[];
}

export interface LatestAlert {
  id: string;
  kind: "new" | "price-drop" | "back" | "readvertised" | "gone";
  state: "pending" | "sending" | "sent" | "merged" | "undeliverable" | "expired";
  created_at: string;
  listing_id: string | null;
  title: string | null;
  price_eur: number | null;
  url: string | null;
}

export async function fetchWatch(): Promise<Watch | null> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_watch")) as Watch | null;
}

export interface QuietHours {
  /** "23:00"; both or neither. */
  from: string | null;
  until: string | null;
}

const QUIET_COLUMNS = "quiet_from, quiet_until";

export async function fetchQuietHours(userId: string): Promise<QuietHours> {
  const supabase = await loadSupabase();
  return quietHoursOf(
    dataOf(await supabase.from("profiles").select(QUIET_COLUMNS).eq("id", userId).single()),
  );
}

export async function saveQuietHours(userId: string, { from, until }: QuietHours): Promise<QuietHours> {
  const supabase = await loadSupabase();
  const change = { quiet_from: from, quiet_until: until };
  return quietHoursOf(
    dataOf(await supabase.from("profiles").update(change).eq("id", userId).select(QUIET_COLUMNS).single()),
  );
}

/** The database adds seconds. */
function quietHoursOf(row: { quiet_from: string | null; quiet_until: string | null }): QuietHours {
  return { from: row.quiet_from?.slice(0, 5) ?? null, until: row.quiet_until?.slice(0, 5) ?? null };
}
