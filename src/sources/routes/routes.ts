/**
 * Travel times on foot and by bicycle from a server with openrouteservice's API. Its matrix endpoint takes all routes to one
 * destination in one request. https://giscience.github.io/openrouteservice/api-reference/endpoints/matrix/
 */
import { z } from "zod";
import type { Point } from "#core/geo/polyline.ts";
import { type Routes, WAYS_AT_ONCE } from "#core/ports/routes.ts";
import { SourceError } from "#core/ports/source.ts";
import { errorFromResponse } from "../error-from-response.ts";
import { exchange, HTTP_LIMITS, type HttpLimits } from "../http-exchange.ts";

export interface RoutesOptions {
  readonly baseUrl: string;
  /** The public server needs one, a self-hosted one does not. */
  readonly key?: string | undefined;
  readonly dailyRequests: number;
  readonly http?: HttpLimits;
}

const SOURCE = "routes";
const LIMITS: HttpLimits = { ...HTTP_LIMITS, maxBodyBytes: 256 * 1024 };
const PROFILES = ["foot-walking", "cycling-regular"] as const;
/** Longer times are taken for an error of the server. */
const LONGEST_SECONDS = 24 * 3600;

const matrixAnswer = z.object({
  durations: z.array(z.tuple([z.number().min(0).max(LONGEST_SECONDS).nullable()])),
});

export function createRoutes({ baseUrl, key, dailyRequests, http = LIMITS }: RoutesOptions): Routes {
  const root = baseUrl.replace(/\/+$/, "");
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    ...(key === undefined ? {} : { authorization: key }),
  };
  const askFor = async (
    profile: (typeof PROFILES)[number],
    to: Point,
    from: readonly Point[],
    signal?: AbortSignal,
  ) => {
    const body = JSON.stringify({
      locations: [...from, to].map(({ latitude, longitude }) => [longitude, latitude]),
      sources: from.map((_, place) => String(place)),
      destinations: [String(from.length)],
      metrics: ["duration"],
    });
    const url = `${root}/v2/matrix/${profile}`;
    const answer = await exchange(SOURCE, { url, method: "POST", headers, body }, http, signal);
    if (answer.status !== 200) throw errorFromResponse(SOURCE, answer, Date.now());
    return durationsIn(answer.text, from.length);
  };
  return {
    dailyRequests,
    minutesTo: async (to, from, signal) => {
      if (from.length === 0 || from.length > WAYS_AT_ONCE) throw new RangeError("too many origins, or none");
      const [onFoot, byBicycle] = [
        await askFor(PROFILES[0], to, from, signal),
        await askFor(PROFILES[1], to, from, signal),
      ];
      return from.map((_, place) => ({
        footMinutes: minutesOf(onFoot[place]),
        bicycleMinutes: minutesOf(byBicycle[place]),
      }));
    },
  };
}

function durationsIn(text: string, count: number): (number | null)[] {
  const parsed = matrixAnswer.safeParse(jsonOf(text));
  if (!parsed.success || parsed.data.durations.length !== count) {
    throw new SourceError(SOURCE, "not-understood", { detail: "not a matrix of these routes" });
  }
  return parsed.data.durations.map(([seconds]) => seconds);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function minutesOf(seconds: number | null | undefined): number | null {
  return typeof seconds === "number" ? Math.max(1, Math.round(seconds / 60)) : null;
}
