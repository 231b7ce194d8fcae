/** The port of a routing server: travel times between points. */
import type { Point } from "../geo/polyline.ts";

export interface Routes {
  readonly dailyRequests: number;
  /** Minutes from each of the points to the destination, in their order. Throws if the server could not be asked. */
  minutesTo(to: Point, from: readonly Point[], signal?: AbortSignal): Promise<readonly WayMinutes[]>;
}

/** Null: the server knows no route. */
export interface WayMinutes {
  readonly footMinutes: number | null;
  readonly bicycleMinutes: number | null;
}

/** The most points that the public server takes at once, including the destination. */
export const WAYS_AT_ONCE = 49;
