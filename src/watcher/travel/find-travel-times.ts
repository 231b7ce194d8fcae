/** Asks for the minutes from homes that were found to people's own places, ahead of who may want to know. No alert waits for it. */
import type { Sql } from "postgres";
import { type Routes, WAYS_AT_ONCE } from "#core/ports/routes.ts";
import { findMissingWays } from "#store/finds/missing-ways.ts";
import { recordTravelTimes } from "#store/finds/travel-times.ts";

interface TravelOptions {
  readonly sql: Sql;
  readonly routes?: Routes | undefined;
  readonly now: () => number;
}

/** At once; with two requests for each this stays far below what the public server takes in a minute. */
const PLACES_AT_ONCE = 3;
const REST_AFTER_TROUBLE_MS = 10 * 60_000;

/** Gives how many ways became known. A server in trouble is left alone for a while. */
export function createTravelTimes({
  sql,
  routes,
  now,
}: TravelOptions): (signal: AbortSignal) => Promise<number> {
  let restsUntilMs = 0;
  return async (signal) => {
    if (routes === undefined || now() < restsUntilMs) return 0;
    const missing = await findMissingWays(sql, PLACES_AT_ONCE * WAYS_AT_ONCE);
    const byPlace = [...Map.groupBy(missing, ({ placeId }) => placeId).values()].slice(0, PLACES_AT_ONCE);
    let known = 0;
    for (const ways of byPlace) {
      const [first] = ways;
      if (first === undefined || signal.aborted) break;
      const asked = ways.slice(0, WAYS_AT_ONCE);
      const to = { latitude: first.placeLatitude, longitude: first.placeLongitude };
      try {
        const minutes = await routes.minutesTo(to, asked, signal);
        const times = asked.flatMap(({ placeId, latitude, longitude }, place) => {
          const way = minutes[place];
          return way ? [{ placeId, latitude, longitude, ...way }] : [];
        });
        await recordTravelTimes(sql, times, new Date(now()));
        known += times.length;
      } catch (error) {
        restsUntilMs = now() + REST_AFTER_TROUBLE_MS;
        throw error;
      }
    }
    return known;
  };
}
