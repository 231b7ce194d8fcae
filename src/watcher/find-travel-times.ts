/**
 * Fetches travel times from found homes to people's own places in advance. No alert waits for them. Each person has a share of
 * the routing server's daily quota (src/core/finds/routing-share.ts).
 */
import type { Sql } from "postgres";
import { isWithin, REQUESTS_PER_PLACE, routingLimits } from "#core/finds/routing-share.ts";
import type { Routes } from "#core/ports/routes.ts";
import {
  findMissingWays,
  type MissingWay,
  recordTravelTimes,
  takeRoutingRequests,
} from "./rows/travel-times.ts";

interface TravelOptions {
  readonly sql: Sql;
  readonly routes?: Routes | undefined;
  readonly now: () => number;
}

/** Two requests each: far below the public server's limit per minute. */
const PLACES_AT_ONCE = 3;
const PAUSE_AFTER_ERROR_MS = 10 * 60_000;
/** A place may be moved several times in a row. Only its final position is looked up. */
const REST_AFTER_MOVE_MS = 2 * 60_000;

/** Returns the number of new travel times. After an error the server is not asked for a while. */
export function createTravelTimes({
  sql,
  routes,
  now,
}: TravelOptions): (signal: AbortSignal) => Promise<number> {
  let pausedUntilMs = 0;
  return async (signal) => {
    if (routes === undefined || now() < pausedUntilMs) return 0;
    const limits = routingLimits(routes.dailyRequests);
    const missing = await findMissingWays(sql, {
      places: PLACES_AT_ONCE,
      limits,
      now: new Date(now()),
      restedSince: new Date(now() - REST_AFTER_MOVE_MS),
    });
    const byPlace = [...Map.groupBy(missing, ({ placeId }) => placeId).values()].slice(0, PLACES_AT_ONCE);
    let known = 0;
    for (const [first, ...others] of byPlace) {
      if (first === undefined || signal.aborted) break;
      const taken = { userId: first.userId, requests: REQUESTS_PER_PLACE, now: new Date(now()) };
      if (!(await takeRoutingRequests(sql, taken, (use) => isWithin(use, limits)))) continue;
      try {
        known += await askFor(routes, [first, ...others], signal);
      } catch (error) {
        pausedUntilMs = now() + PAUSE_AFTER_ERROR_MS;
        throw error;
      }
    }
    return known;
  };

  async function askFor(
    { minutesTo }: Routes,
    ways: readonly [MissingWay, ...MissingWay[]],
    signal: AbortSignal,
  ): Promise<number> {
    const [{ placeLatitude: latitude, placeLongitude: longitude }] = ways;
    const minutes = await minutesTo({ latitude, longitude }, ways, signal);
    const times = ways.flatMap((way, place) => {
      const said = minutes[place];
      return said ? [{ ...way, ...said }] : [];
    });
    await recordTravelTimes(sql, times, new Date(now()));
    return times.length;
  }
}
