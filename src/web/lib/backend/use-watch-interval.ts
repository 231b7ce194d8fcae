import { useQuery } from "@tanstack/react-query";
import type { WatchInterval } from "#text/watch-interval.ts";
import {
  fetchGuestInterval,
  fetchNewSearchInterval,
  type IntervalRow,
  UNKNOWN_INTERVAL,
  watchIntervalOf,
} from "../../hydration/guest-interval.ts";
import { useSession } from "../auth/session.ts";
import { useIdle } from "../browser/use-idle.ts";
import { dataOf, loadSupabase } from "./supabase.ts";

const RELOAD_MS = 60_000;

/** How often the person's search is checked now; for who has none yet, how often it would be. */
export function useWatchInterval(): WatchInterval {
  const { user, isLoading } = useSession();
  const isIdle = useIdle();
  const userId = user?.id;
  const { data = UNKNOWN_INTERVAL } = useQuery({
    queryKey: ["watch-interval", userId ?? "guest"],
    queryFn: () => (userId === undefined ? fetchGuestInterval() : fetchForPerson()),
    enabled: isIdle && !isLoading,
    retry: false,
    refetchInterval: RELOAD_MS,
  });
  return data;
}

async function fetchForPerson(): Promise<WatchInterval> {
  const supabase = await loadSupabase();
  const [first] = dataOf(await supabase.rpc("my_watches")) as unknown as IntervalRow[];
  if (first && (first.interval_seconds !== null || first.is_served_by_mail)) return watchIntervalOf(first);
  return fetchNewSearchInterval(supabase);
}
