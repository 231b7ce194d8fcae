import { queryOptions, useQuery } from "@tanstack/react-query";
import type { WatchInterval } from "#text/watch-interval.ts";
import { useSession } from "../auth/session.ts";
import { useIdle } from "../browser/use-idle.ts";
import { fetchGuestInterval, UNKNOWN_INTERVAL, watchIntervalOf } from "./guest-interval.ts";
import { every } from "./polling.ts";
import { queryKeys } from "./query-keys.ts";
import { useIsLive } from "./use-is-live.ts";
import { watchesQuery } from "./watches.ts";

const RELOAD_MS = 60_000;

const newSearchIntervalQuery = queryOptions({
  queryKey: queryKeys.newSearchInterval(),
  queryFn: fetchGuestInterval,
  retry: false,
  refetchInterval: every(RELOAD_MS),
});

/** How often the person's search is checked; without a search, how often a new one would be. */
export function useWatchInterval(): WatchInterval {
  const { user, isUnknown } = useSession();
  const isIdle = useIdle();
  const isLive = useIsLive();
  const isAsked = isIdle && !isUnknown;
  const own = useQuery({
    ...watchesQuery(user?.id ?? "", isLive),
    enabled: isAsked && user !== null,
    retry: false,
    select: ([first]) =>
      first && (first.interval_seconds !== null || first.is_served_by_mail) ? watchIntervalOf(first) : null,
  });
  const isNeeded = user === null || own.data === null;
  const usual = useQuery({ ...newSearchIntervalQuery, enabled: isAsked && isNeeded });
  return own.data ?? (isNeeded ? usual.data : undefined) ?? UNKNOWN_INTERVAL;
}
