import { setTimeout as delay } from "node:timers/promises";

/** Rejects after that time. A connection cut at the wrong moment can leave the database driver waiting forever. */
export async function withTimeout<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`No answer within ${Math.round(ms)} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after that time, or immediately when the signal aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal && { signal }).catch(() => undefined);
}

/** Interrupts a sleep. Called while nothing sleeps, it ends the next sleep immediately. */
export interface WakeUp {
  call(): void;
  sleep(ms: number): Promise<void>;
}

export function createWakeUp(): WakeUp {
  let called = new AbortController();
  return {
    call: () => called.abort(),
    sleep: async (ms) => {
      await sleep(ms, called.signal);
      if (called.signal.aborted) called = new AbortController();
    },
  };
}
