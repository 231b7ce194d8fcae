import { intervalKindOf, type WatchInterval } from "#text/watch-interval.ts";
import { loadGuestTables } from "./guest-tables.ts";
import { dataOf } from "./supabase.ts";

/** Used until the interval is known, or if it cannot be loaded: the pages then show the promised one. */
export const UNKNOWN_INTERVAL: WatchInterval = {
  intervalSeconds: null,
  isServedByMail: false,
  spentUntil: null,
};

/** Columns of `watch_intervals`, and fields of `my_watches()`. */
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
    // The table is updated some seconds after the month has changed.
    spentUntil: spentUntil !== null && spentUntil.getTime() > Date.now() ? spentUntil : null,
  };
}

export async function fetchGuestInterval(): Promise<WatchInterval> {
  return fetchNewSearchInterval(await loadGuestTables());
}

/** Before hydration the page promises an interval; this tells whether it is kept. */
export async function isPromiseKept(): Promise<boolean> {
  return intervalKindOf(await fetchGuestInterval()) === "promised";
}

type Tables = Pick<Awaited<ReturnType<typeof loadGuestTables>>, "from">;

/** A new search uses the official source if there is one. */
async function fetchNewSearchInterval(tables: Tables): Promise<WatchInterval> {
  const [row] = dataOf(
    await tables
      .from("watch_intervals")
      .select("interval_seconds, spent_until")
      .order("source", { ascending: false })
      .limit(1),
  );
  return row ? watchIntervalOf(row) : UNKNOWN_INTERVAL;
}
