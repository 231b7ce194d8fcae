import { useQuery } from "@tanstack/react-query";
import { healthOf } from "#core/health/health-of.ts";
import { queryKeys } from "./query-keys.ts";
import type { SavedSearch } from "./searches.ts";
import { dataOf, loadSupabase } from "./supabase.ts";
import type { Watch } from "./typed-database.ts";

/** A change of the person's rows reloads at once, but a check changes none of them. */
const RELOAD_MS = 30_000;
/** During the first check, which takes seconds. */
const FIRST_CHECK_MS = 2_000;

export function useWatch(userId: string, search: SavedSearch | null) {
  return useQuery({
    queryKey: queryKeys.watchOf(userId, search?.id),
    queryFn: () => (search ? fetchWatch(search) : null),
    refetchInterval: ({ state }) => reloadMs(state.data ? [state.data] : []),
  });
}

export function useWatches(userId: string) {
  return useQuery({
    queryKey: queryKeys.allWatches(userId),
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
  return dataOf(await supabase.rpc("my_watches"));
}
