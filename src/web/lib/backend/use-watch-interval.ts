import { useQuery } from "@tanstack/react-query";
import type { WatchInterval } from "#text/watch-interval.ts";
import {
  fetchGuestInterval,
  fetchNewSearchInterval,
  UNKNOWN_INTERVAL,
  watchIntervalOf,
} from "../../hydration/guest-interval.ts";
import { useSession } from "../auth/session.ts";
import { useIdle } from "../browser/use-idle.ts";
import { queryKeys } from "./query-keys.ts";
import { dataOf, loadSupabase } from "./supabase.ts";

const RELOAD_MS = 60_000;

/** How often the person's search is checked; without a search, how often a new one would be. */
export function useWatchInterval(): WatchInterval {
  const { user, isUnknown } = useSession();
  const isIdle = useIdle();
  const userId = user?.id;
  const { data = UNKNOWN_INTERVAL } = useQuery({
    queryKey: queryKeys.watchInterval(userId),
    queryFn: () => (userId === undefined ? fetchGuestInterval() : fetchForPerson()),
    enabled: isIdle && !isUnknown,
    retry: false,
    refetchInterval: RELOAD_MS,
  });
  return data;
}

async function fetchForPerson(): Promise<WatchInterval> {
  const supabase = await loadSupabase();
  const [first] = dataOf(await supabase.rpc("my_watches"));
  if (first && (first.interval_seconds !== null || first.is_served_by_mail)) return watchIntervalOf(first);
  return fetchNewSearchInterval(supabase);
}
