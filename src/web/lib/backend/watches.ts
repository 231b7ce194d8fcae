import { queryOptions, useQuery } from "@tanstack/react-query";
import { healthOf } from "#core/health/health-of.ts";
import { every } from "./polling.ts";
import { queryKeys } from "./query-keys.ts";
import type { SavedSearch } from "./searches.ts";
import { dataOf, loadSupabase } from "./supabase.ts";
import type { Watch } from "./typed-database.ts";
import { useIsLive } from "./use-is-live.ts";

/** Without realtime. */
const RELOAD_MS = 30_000;
/** A check changes none of the rows that realtime announces, only the time of the next one. */
const LIVE_RELOAD_MS = 60_000;
/** During the first check, which takes seconds. */
const FIRST_CHECK_MS = 2_000;

/** The state of every search of the person: asked for in one place, however many parts of a page show it. */
export function watchesQuery(userId: string, isLive: boolean) {
  return queryOptions({
    queryKey: queryKeys.watch(userId),
    queryFn: fetchWatches,
    refetchInterval: (query) => every(reloadMs(query.state.data ?? [], isLive))(query),
  });
}

export function useWatches(userId: string) {
  return useQuery(watchesQuery(userId, useIsLive()));
}

export function useWatch(userId: string, search: SavedSearch | null) {
  return useQuery({
    ...watchesQuery(userId, useIsLive()),
    select: (watches) => watches.find(({ id }) => id === search?.id) ?? null,
  });
}

function reloadMs(watches: readonly Watch[], isLive: boolean): number {
  if (watches.some((watch) => healthOf(watch).state === "first")) return FIRST_CHECK_MS;
  return isLive ? LIVE_RELOAD_MS : RELOAD_MS;
}

async function fetchWatches(): Promise<Watch[]> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_watches"));
}
