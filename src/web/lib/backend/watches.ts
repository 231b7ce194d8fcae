import { useQuery } from "@tanstack/react-query";
import type { ListingAlertKind } from "#core/alert/alert-kinds.ts";
import { type AlertCounts, type HealthFacts, healthOf } from "#core/health/health-of.ts";
import type { TitledHome } from "#text/home-words.ts";
import type { SavedSearch } from "./searches.ts";
import { dataOf, loadSupabase } from "./supabase.ts";

/** As the database's `my_watches()` returns it. */
export interface Watch extends HealthFacts {
  /** The search's. */
  id: string;
  interval_seconds: number | null;
  next_check_at: string | null;
  alerts: AlertCounts;
  /** The source of the last alert that was sent, and when. */
  last_told: { source: "official" | "by-url" | "mail"; at: string } | null;
  /** How soon alerts reached Telegram in the last thirty days; null under five of them. */
  freshness: { alerts: number; median_seconds: number; p95_seconds: number } | null;
  last_find: { listing_id: string; home: TitledHome; price_eur: number | null; at: string } | null;
  latest_alerts: LatestAlert[];
}

export interface LatestAlert {
  id: string;
  kind: ListingAlertKind;
  state: "pending" | "sending" | "sent" | "merged" | "undeliverable" | "expired";
  created_at: string;
  listing_id: string | null;
  home: TitledHome | null;
  price_eur: number | null;
  url: string | null;
}

/** A change of the person's rows loads it again at once; that a check was made changes none of them. */
const RELOAD_MS = 30_000;
/** While a first check is under way, which takes seconds. */
const FIRST_CHECK_MS = 2_000;

/** How one search fares. */
export function useWatch(userId: string, search: SavedSearch | null) {
  return useQuery({
    queryKey: ["watch", userId, search?.id],
    queryFn: () => (search ? fetchWatch(search) : null),
    refetchInterval: ({ state }) => reloadMs(state.data ? [state.data] : []),
  });
}

/** How each of them fares. */
export function useWatches(userId: string) {
  return useQuery({
    queryKey: ["watch", userId, "all"],
    queryFn: fetchWatches,
    refetchInterval: ({ state }) => reloadMs(state.data ?? []),
  });
}

function reloadMs(watches: readonly Watch[]): number {
  return watches.some((watch) => healthOf(watch).state === "first") ? FIRST_CHECK_MS : RELOAD_MS;
}

async function fetchWatch({ id }: Pick<SavedSearch, "id">): Promise<Watch | null> {
  return (await fetchWatches()).find((watch) => watch.id === id) ?? null;
}

async function fetchWatches(): Promise<Watch[]> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_watches")) as unknown as Watch[];
}
