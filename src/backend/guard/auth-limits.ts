import { createRateLimiter } from "./rate-limit.ts";

const MINUTE_MS = 60_000;

export type AuthLimits = ReturnType<typeof createAuthLimits>;

/** GoTrue's own defaults by address, and what it lacks: a count of wrong passwords by account. */
export function createAuthLimits() {
  return {
    mailing: createRateLimiter({ perWindow: 30, windowMs: 5 * MINUTE_MS, burst: 30 }),
    tokens: createRateLimiter({ perWindow: 150, windowMs: 5 * MINUTE_MS, burst: 30 }),
    verifying: createRateLimiter({ perWindow: 30, windowMs: 5 * MINUTE_MS, burst: 30 }),
    wrongPasswords: createRateLimiter({ perWindow: 10, windowMs: 15 * MINUTE_MS, burst: 10 }),
    mailsToOneAddress: createRateLimiter({ perWindow: 1, windowMs: MINUTE_MS, burst: 1 }),
  };
}
