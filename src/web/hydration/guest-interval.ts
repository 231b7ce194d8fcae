import { intervalKindOf, type WatchInterval } from "#text/watch-interval.ts";
import { dataOf } from "../lib/backend/supabase.ts";
import { loadGuestTables } from "./guest-tables.ts";

/** Until it is known, and where it cannot be, what was promised. */
export const UNKNOWN_INTERVAL: WatchInterval = {
  intervalSeconds: null,
  isServedByMail: false,
  spentUntil: null,
};

/** As the database tells it, here and in `my_watches()`. */
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

export async function fetchGuestInterval(): Promise<WatchInterval> {
  return fetchNewSearchInterval(await loadGuestTables());
}

/** What a page says before its application has come is true as long as searches are checked as promised. */
export async function isPromiseKept(): Promise<boolean> {
  return intervalKindOf(await fetchGuestInterval()) === "promised";
}

type Tables = Pick<Awaited<ReturnType<typeof loadGuestTables>>, "from">;

/** A search goes to the official source where there is one. */
export async function fetchNewSearchInterval(tables: Tables): Promise<WatchInterval> {
  const [row] = dataOf(
    await tables
      .from("watch_intervals")
      .select("interval_seconds, spent_until")
      .order("source", { ascending: false })
      .limit(1),
  );
  return row ? watchIntervalOf(row) : UNKNOWN_INTERVAL;
}
