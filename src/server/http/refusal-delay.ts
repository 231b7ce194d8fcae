// Whoever is refused all the time asks again at once, and refusing costs what others are waiting for. Past a measure that
// no person reaches, an address waits for each further refusal; its other answers come as fast as ever.
import { createRateLimiter } from "#platform/limits/rate-limit.ts";

const DELAY_MS = 1_000;
/** More are not held: they are answered at once and their connection is closed, so that no flood fills our memory. */
const MAX_HELD = 1_000;

export type RefusalDelay = {
  /** Resolves when the refusal may go out; false where it must take its connection with it. */
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
