import { createRateLimiter } from "#platform/limits/rate-limit.ts";
import { authError, rateLimited, userBanned } from "../auth-error.ts";
import type { AuthParts } from "../auth-parts.ts";
import type { Caller } from "../auth-request.ts";
import { readInitData } from "./init-data.ts";

const FIVE_MINUTES_MS = 5 * 60_000;

/** POST /token?grant_type=telegram_mini_app */
export function createLaunchAnswers(parts: AuthParts) {
  const { botToken, launches, answers, limits, record, now } = parts;
  const perPerson = createRateLimiter({ perWindow: 30, windowMs: FIVE_MINUTES_MS, burst: 30 });
  return async ({ init_data: raw }: { init_data: string }, caller: Caller): Promise<Response> => {
    if (botToken === undefined) return notOffered();
    const read = readInitData(raw, { botToken, nowMs: now() });
    if (typeof read === "string") return REFUSALS[read]();
    if (!perPerson.take(read.telegramId, now())) return rateLimited();
    const opened = await launches.open(read, caller.userAgent);
    if ("refusal" in opened) return REFUSALS[opened.refusal]();
    const { session, isRepeated } = opened;
    const { user, sessionId } = session;
    if (!isRepeated) {
      await limits.knownAddresses.add(user.id, caller.address, now());
      record({ kind: "mini_app", userId: user.id, sessionId, ...caller });
    }
    return answers.inBody(session);
  };
}

const notOffered = () => authError(400, "provider_disabled", "The Mini App is not offered here");

const REFUSALS = {
  invalid: () => authError(400, "bad_init_data", "The launch data is not valid"),
  // The page can only be closed and opened again: Telegram gives it no newer data.
  old: () => authError(400, "init_data_expired", "The launch data is too old"),
  ended: () => authError(400, "init_data_expired", "The launch data is too old"),
  unknown: () => authError(404, "user_not_found", "This Telegram user has no account"),
  suspended: userBanned,
} as const;
