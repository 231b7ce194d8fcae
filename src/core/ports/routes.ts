/** Who knows how long a way takes. */
import type { Point } from "../geo/polyline.ts";

export interface Routes {
  /** How many requests the server takes in a day. */
  readonly dailyRequests: number;
  /** From each of these points to the one, in minutes and in their order; throws where it could not be asked. */
  minutesTo(to: Point, from: readonly Point[], signal?: AbortSignal): Promise<readonly WayMinutes[]>;
}

/** Null: there is no way that the server knows of. */
export interface WayMinutes {
  readonly footMinutes: number | null;
  readonly bicycleMinutes: number | null;
}

/** As many as the public server takes at once, the destination among them. */
export const WAYS_AT_ONCE = 49;
