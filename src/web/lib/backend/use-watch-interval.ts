import { useQuery } from "@tanstack/react-query";
import type { WatchInterval } from "#text/watch-interval.ts";
import { useSession } from "../auth/session.ts";
import { useIdle } from "../browser/use-idle.ts";
import { loadGuestTables } from "./guest-tables.ts";
import { dataOf, loadSupabase } from "./supabase.ts";

const RELOAD_MS = 60_000;
/** Until it is known, and where it cannot be, what was promised. */
const UNKNOWN: WatchInterval = { intervalSeconds: null, isServedByMail: false, spentUntil: null };

/** How often the person's search is checked now; for who has none yet, how often it would be. */
export function useWatchInterval(): WatchInterval {
  const { user, isLoading } = useSession();
  const isIdle = useIdle();
  const userId = user?.id;
  const { data = UNKNOWN } = useQuery({
    queryKey: ["watch-interval", userId ?? "guest"],
    queryFn: () => (userId === undefined ? fetchForGuest() : fetchForPerson()),
    enabled: isIdle && !isLoading,
    retry: false,
    refetchInterval: RELOAD_MS,
  });
  return data;
}

/** As the database tells it, here and in `my_watch()`. */
export interface IntervalRow {
  interval_seconds: number | null;
  spent_until: string | null;
  is_served_by_mail?: boolean;
}

export function watchIntervalOf({
  interval_seconds,
  spent_until,
  is_served_by_mail = false,
}: IntervalRow): WatchInterval {
  const spentUntil = spent_until === null ? null : new Date(spent_until);
  return {
    intervalSeconds: interval_seconds,
    isServedByMail: is_served_by_mail,
    // The table is written again some seconds after the month has turned.
    spentUntil: spentUntil !== null && spentUntil.getTime() > Date.now() ? spentUntil : null,
  };
}

async function fetchForGuest(): Promise<WatchInterval> {
  return ofNewSearch(await loadGuestTables());
}

async function fetchForPerson(): Promise<WatchInterval> {
  const supabase = await loadSupabase();
  const own = dataOf(await supabase.rpc("my_watch")) as IntervalRow | null;
  if (own !== null && (own.interval_seconds !== null || own.is_served_by_mail)) return watchIntervalOf(own);
  return ofNewSearch(supabase);
}

type Tables = Pick<Awaited<ReturnType<typeof loadGuestTables>>, "from">;

/** A search goes to the official source where there is one. */
async function ofNewSearch(tables: Tables): Promise<WatchInterval> {
  const [row] = dataOf(
    await tables
      .from("watch_intervals")
      .select("interval_seconds, spent_until")
      .order("source", { ascending: false })
      .limit(1),
  );
  return row ? watchIntervalOf(row) : UNKNOWN;
}
