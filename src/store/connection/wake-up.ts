import { setTimeout } from "node:timers/promises";

export interface WakeUp {
  wake(): void;
  /** Until woken or until the time is up. A call while nobody waits ends the next wait. */
  wait(ms: number): Promise<void>;
}

export function createWakeUp(): WakeUp {
  let woken = new AbortController();
  return {
    wake: () => woken.abort(),
    wait: async (ms) => {
      await setTimeout(ms, undefined, { signal: woken.signal }).catch(() => {});
      if (woken.signal.aborted) woken = new AbortController();
    },
  };
}
