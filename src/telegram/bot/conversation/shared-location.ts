import type { Message } from "grammy/types";
import type { Point } from "#core/geo/polyline.ts";
import { isOnEarth } from "../../buttons/kit.ts";

export interface SharedLocation {
  readonly point: Point;
  /** A live location, which moves with the phone. */
  readonly isLive: boolean;
}

/** The location of a message, also of a venue. Returns undefined if it is not a valid point. */
export function locationIn({ location }: Message): SharedLocation | undefined {
  const { latitude, longitude, live_period: livePeriod } = location ?? {};
  if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
  const point = { latitude, longitude };
  return isOnEarth(point) ? { point, isLive: livePeriod !== undefined } : undefined;
}
