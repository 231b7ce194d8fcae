import { withTimeout } from "../timing.ts";

export class BusyError extends Error {
  override name = "BusyError";
}

export type SemaphoreLimits = {
  atOnce: number;
  /** How many callers may wait, and for how long; unlimited if absent. */
  waiting?: number;
  waitMs?: number;
};

export type Semaphore = {
  /** Resolves with a function that releases the slot. Rejects with BusyError if no slot is free in time. */
  enter: (caller?: string) => Promise<() => void>;
  run: <Result>(work: () => Promise<Result>, caller?: string) => Promise<Result>;
};

/**
 * Limits concurrency. Callers take turns: a caller with a hundred requests waits a hundred turns, and a caller with a
 * single request waits for one request of each other caller.
 */
export function createSemaphore({ atOnce, waiting: maxWaiting, waitMs }: SemaphoreLimits): Semaphore {
  let free = atOnce;
  let waitingCount = 0;
  // In the order of turns: an admitted caller moves to the end.
  const waiting = new Map<string, (() => void)[]>();

  const release = () => {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    const [caller, turns] = next;
    waiting.delete(caller);
    const admit = turns.shift();
    if (turns.length > 0) waiting.set(caller, turns);
    waitingCount -= 1;
    admit?.();
  };

  const removeWaiting = (caller: string, admit: () => void): boolean => {
    const turns = waiting.get(caller) ?? [];
    const index = turns.indexOf(admit);
    if (index < 0) return false;
    turns.splice(index, 1);
    if (turns.length === 0) waiting.delete(caller);
    waitingCount -= 1;
    return true;
  };

  const wait = async (caller: string) => {
    if (maxWaiting !== undefined && waitingCount >= maxWaiting)
      throw new BusyError("too many callers waiting");
    const turn = Promise.withResolvers<void>();
    const turns = waiting.get(caller);
    if (turns) turns.push(turn.resolve);
    else waiting.set(caller, [turn.resolve]);
    waitingCount += 1;
    try {
      await (waitMs === undefined ? turn.promise : withTimeout(waitMs, turn.promise));
    } catch (cause) {
      // The slot may have been passed on at the moment of the timeout.
      if (!removeWaiting(caller, turn.resolve)) release();
      throw new BusyError("timed out waiting for a slot", { cause });
    }
  };

  const enter = async (caller = "") => {
    if (free > 0) free -= 1;
    else await wait(caller);
    return release;
  };

  return {
    enter,
    run: async (work, caller) => {
      const leave = await enter(caller);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
