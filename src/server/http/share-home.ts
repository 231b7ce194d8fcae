// Prepares a home for sending from the Mini App. The session of the page says whose home it is.
import type { Sql } from "postgres";
import { z } from "zod";
import type { Backend } from "#backend/backend.ts";
import { JsonFault, parseJson, readBytes } from "#backend/read-body.ts";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { createRateLimiter } from "#platform/limits/rate-limit.ts";
import { createShares } from "#telegram/share/prepare-share.ts";
import type { Config } from "../config.ts";

export type PrepareShare = ReturnType<typeof createShares>;

export const SHARE_PATH = "/telegram/share";

const PER_MINUTE = 20;
const order = z.strictObject({
  listingId: z.string().min(1).max(64),
  language: z.enum(LANGUAGES as readonly [Language, ...Language[]]),
});

export function createShareAnswer(prepare: PrepareShare, bearerOf: Backend["bearerOf"], now: () => number) {
  const limit = createRateLimiter({ perWindow: PER_MINUTE, windowMs: 60_000, burst: PER_MINUTE });
  return async (request: Request): Promise<Response> => {
    const bearer = await bearerOf(request.headers);
    if (bearer === undefined) return refusal(401, "no_session", "Sign in first");
    if (!limit.take(bearer.userId, now()))
      return refusal(429, "over_request_rate_limit", "Too many requests");
    const body = await readBytes(request);
    if (body === "too large") return refusal(413, "validation_failed", "Request body is too large");
    const read = order.safeParse(body === "cut off" ? undefined : valueIn(body));
    if (!read.success) return refusal(400, "validation_failed", "The body is not an order");
    const prepared = await prepare({ ...bearer, ...read.data });
    if (prepared === "not-there") return refusal(404, "not_found", "This account has no such home");
    if (prepared === "refused") return refusal(502, "telegram_refused", "Telegram did not take the message");
    return Response.json(prepared, { headers: { "cache-control": "no-store" } });
  };
}

function valueIn(body: Uint8Array): unknown {
  try {
    return parseJson(body, { maxDepth: 1 });
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

/** Undefined where the Mini App is not offered. */
export function sharesOf({ telegram, siteUrl }: Config, sql: Sql): PrepareShare | undefined {
  const { miniApp, token, apiRoot } = telegram;
  return miniApp && token !== undefined ? createShares({ sql, token, apiRoot, siteUrl }) : undefined;
}

const refusal = (status: number, code: string, message: string) =>
  Response.json({ code, message }, { status, headers: { "cache-control": "no-store" } });
