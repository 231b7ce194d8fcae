import { setTimeout } from "node:timers/promises";

/** Resolves after that time, or at once when the signal is given. */
export async function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);
}

/** Wakes the one who sleeps; called while nobody does, it ends the next sleep at once. */
export interface WakeUp {
  call(): void;
  /** Until it is called or the time is up. */
  sleep(ms: number): Promise<void>;
}

export function createWakeUp(): WakeUp {
  let called = new AbortController();
  return {
    call: () => called.abort(),
    sleep: async (ms) => {
      await pauseFor(ms, called.signal);
      if (called.signal.aborted) called = new AbortController();
    },
  };
}
