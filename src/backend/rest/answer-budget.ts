// Answers stay in memory until their reader has taken them. This bounds what one caller can leave unread.
import { createCounter } from "#platform/limits/counter.ts";
import { createRateLimiter } from "#platform/limits/rate-limit.ts";
import type { AroundCall } from "./around-call.ts";
import type { DataCaller } from "./data-gate.ts";
import { restError } from "./rest-error.ts";

const MB = 1024 * 1024;

const ANSWER_BYTES = { perPerson: 8 * MB, perAddress: 16 * MB, total: 32 * MB };
/** Smaller answers fit in the buffers of the operating system. */
const COUNTED_BYTES = 16 * 1024;

export function createAnswerBudget(limits = ANSWER_BYTES) {
  const ofPerson = createCounter();
  const ofAddress = createCounter();
  let total = 0;
  return {
    /** When the total is spent, callers who have read all of their answers may still ask. */
    isSpent: ({ person, address }: DataCaller): boolean =>
      ofPerson.count(person) >= limits.perPerson ||
      ofAddress.count(address) >= limits.perAddress ||
      (total >= limits.total && ofAddress.count(address) > 0),
    /** Counts the answer until it is written, or its reader is gone. */
    hold: (
      { person, address }: DataCaller,
      { bytes, written }: { bytes: number; written: Promise<unknown> },
    ) => {
      if (bytes < COUNTED_BYTES) return;
      ofPerson.add(person, bytes);
      ofAddress.add(address, bytes);
      total += bytes;
      void written.then(() => {
        ofPerson.remove(person, bytes);
        ofAddress.remove(address, bytes);
        total -= bytes;
      });
    },
  };
}

export const tooManyUnread = () =>
  tooMany("Read the answers to the earlier requests first", { retryAfterSeconds: 5 });

const HOUR_MS = 3_600_000;
const EXPORTS_PER_HOUR = 5;

/** Exports of a person: one at a time, until its answer is written, and a few an hour. */
export function createExportLimit(now: () => number): AroundCall {
  const perHour = createRateLimiter({
    perWindow: EXPORTS_PER_HOUR,
    windowMs: HOUR_MS,
    burst: EXPORTS_PER_HOUR,
  });
  const running = new Set<string>();
  return async ({ bearer: { userId }, written }, run) => {
    if (running.has(userId)) return tooMany("Another export is still running", { retryAfterSeconds: 15 });
    if (!perHour.take(userId, now())) {
      const retryAfterSeconds = Math.ceil(perHour.waitMs(userId, now()) / 1000);
      return tooMany(`An account may be exported ${EXPORTS_PER_HOUR} times an hour`, { retryAfterSeconds });
    }
    running.add(userId);
    const free = () => void running.delete(userId);
    try {
      const answer = await run();
      void written.then(free);
      return answer;
    } catch (error) {
      free();
      throw error;
    }
  };
}

const tooMany = (message: string, { retryAfterSeconds }: { retryAfterSeconds: number }) =>
  restError({
    status: 429,
    code: "over_request_rate_limit",
    message,
    headers: { "retry-after": String(retryAfterSeconds) },
  });
