// Clients that are refused often retry at once, and each refusal costs resources. Beyond a rate that no person reaches,
// further refusals to an address are delayed; its other responses are not.
import { createRateLimiter } from "#platform/limits/rate-limit.ts";

const DELAY_MS = 1_000;
/** A client that was told to wait, and asks again, counts as this many refusals. */
const OF_TOO_MANY = 5;
/** Beyond this number refusals are sent at once and the connection is closed, which bounds memory. */
const MAX_HELD = 1_000;

export type RefusalDelay = {
  /** Resolves when the refusal may be sent; false if its connection must be closed. */
  hold: (address: string, status: number) => Promise<boolean>;
};

export type RefusalDelayOptions = {
  freePerMinute: number;
  now: () => number;
  wait: (ms: number) => Promise<unknown>;
};

export function createRefusalDelay({ freePerMinute, now, wait }: RefusalDelayOptions): RefusalDelay {
  const free = createRateLimiter({ perWindow: freePerMinute, windowMs: 60_000, burst: freePerMinute });
  let held = 0;
  return {
    hold: async (address, status) => {
      if (free.take(address, now(), status === 429 ? OF_TOO_MANY : 1)) return true;
      if (held >= MAX_HELD) return false;
      held += 1;
      try {
        await wait(DELAY_MS);
      } finally {
        held -= 1;
      }
      return true;
    },
  };
}
