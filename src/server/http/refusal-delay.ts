// Clients that are refused often retry at once, and each refusal costs resources. Beyond a rate that no person reaches,
// further refusals to an address are delayed; its other responses are not.
import { createRateLimiter } from "#platform/limits/rate-limit.ts";

const DELAY_MS = 1_000;
/** Beyond this number refusals are sent at once and the connection is closed, which bounds memory. */
const MAX_HELD = 1_000;

export type RefusalDelay = {
  /** Resolves when the refusal may be sent; false if its connection must be closed. */
  hold: (address: string) => Promise<boolean>;
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
    hold: async (address) => {
      if (free.take(address, now())) return true;
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
