/**
 * The matrix API of openrouteservice, written from its documentation: straight lines at walking and cycling speed. Refuses
 * what the real one refuses, with its messages.
 */
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { metresBetween } from "#core/finds/distance.ts";
import { listenOnLoopback } from "../listen-on-loopback.ts";

const METRES_PER_SECOND: Readonly<Record<string, number>> = { "foot-walking": 1.4, "cycling-regular": 4.5 };
const LOCATIONS_AT_MOST = 50;

const index = z.string().regex(/^\d+$/);
const request = z.strictObject({
  locations: z.array(z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])).min(2),
  sources: z.array(index),
  destinations: z.array(index),
  metrics: z.array(z.enum(["duration", "distance"])).default(["duration"]),
});

type Answer = { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> };

export interface RoutesSimulator {
  readonly url: string;
  /** The number of requests received. */
  readonly requests: () => number;
  /** If set, this is answered instead. */
  answerWith(answer: Answer | undefined): void;
  close(): Promise<void>;
}

export async function startRoutesSimulator({ key }: { key?: string } = {}): Promise<RoutesSimulator> {
  let requests = 0;
  let instead: Answer | undefined;
  const { port, stop } = await listenOnLoopback(async (asked, response) => {
    requests += 1;
    const { status, body, headers } = instead ?? (await answer(asked, key));
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    answerWith: (other) => {
      instead = other;
    },
    close: stop,
  };
}

async function answer(asked: IncomingMessage, key: string | undefined): Promise<Answer> {
  const profile = /^\/v2\/matrix\/([\w-]+)$/.exec(asked.url ?? "")?.[1] ?? "";
  const speed = METRES_PER_SECOND[profile];
  if (asked.method !== "POST" || speed === undefined) return refusal(404, 6003, "no such profile");
  if (key !== undefined && asked.headers.authorization !== key) {
    return { status: 403, body: { error: "Access to this API has been disallowed" } };
  }
  const parsed = request.safeParse(await jsonOf(asked));
  if (!parsed.success) return refusal(400, 6002, "Request parameters are invalid");
  const { locations, sources, destinations } = parsed.data;
  if (locations.length > LOCATIONS_AT_MOST) return refusal(400, 6004, "Search exceeds the limit");
  const points = locations.map(([longitude, latitude]) => ({ latitude, longitude }));
  const durations = sources.map((source) =>
    destinations.map((destination) => {
      const [from, to] = [points[Number(source)], points[Number(destination)]];
      // Points in the sea cannot be reached.
      return from && to && from.longitude < 3
        ? Math.round((metresBetween(from, to) / speed) * 100) / 100
        : null;
    }),
  );
  return { status: 200, body: { durations, metadata: { service: "matrix" } } };
}

function refusal(status: number, code: number, message: string): Answer {
  return { status, body: { error: { code, message } } };
}

async function jsonOf(asked: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of asked) text += String(chunk);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
