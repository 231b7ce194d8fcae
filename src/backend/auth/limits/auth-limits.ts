import { createRateLimiter } from "#platform/limits/rate-limit.ts";
import { createKnownAddresses, createStoredLimiter, type LimitStore } from "./stored-limits.ts";

const MINUTE_MS = 60_000;
const ONE_A_MINUTE = { perWindow: 1, windowMs: MINUTE_MS, burst: 1 };
const perDay = (most: number) => ({ perWindow: most, windowMs: 24 * 60 * MINUTE_MS, burst: most });

export type AuthLimits = ReturnType<typeof createAuthLimits>;

/**
 * GoTrue's defaults per network address, plus a count of wrong passwords per account. Limits of an account or a mail
 * address survive a restart; those of a network address over five minutes do not.
 */
export function createAuthLimits(store: LimitStore) {
  return {
    mailing: createRateLimiter({ perWindow: 30, windowMs: 5 * MINUTE_MS, burst: 30 }),
    tokens: createRateLimiter({ perWindow: 150, windowMs: 5 * MINUTE_MS, burst: 30 }),
    verifying: createRateLimiter({ perWindow: 30, windowMs: 5 * MINUTE_MS, burst: 30 }),
    wrongPasswords: createStoredLimiter(store, {
      name: "wrong password",
      perWindow: 10,
      windowMs: 15 * MINUTE_MS,
      burst: 10,
    }),
    // Of these two kinds of mails, each counted per mailbox: neither uses up the other.
    resetMails: createStoredLimiter(store, { name: "reset mail", ...ONE_A_MINUTE }),
    resetMailsPerDay: createStoredLimiter(store, { name: "reset mails of a day", ...perDay(12) }),
    proofMails: createStoredLimiter(store, { name: "proof mail", ...ONE_A_MINUTE }),
    proofMailsPerDay: createStoredLimiter(store, { name: "proof mails of a day", ...perDay(12) }),
    wrongPasswordsOfNetwork: createRateLimiter({
      perWindow: 100,
      windowMs: 15 * MINUTE_MS,
      burst: 100,
    }),
    /** Links that an account may have mailed to an address it wants to add. */
    addedAddresses: createStoredLimiter(store, {
      name: "added address",
      perWindow: 5,
      windowMs: 60 * MINUTE_MS,
      burst: 5,
    }),
    /** By its current password: each ends the account's reset links, so more would keep its owner from using one. */
    passwordChanges: createStoredLimiter(store, { name: "password change", ...perDay(10) }),
    knownAddresses: createKnownAddresses(store),
  };
}
