import { pauseFor } from "./pause-for.ts";

/** Wakes the one who waits; rung while nobody does, it is heard by the next. */
export interface Bell {
  ring(): void;
  /** Until it is rung, the time is up or the signal is given. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  let rung = new AbortController();
  return {
    ring: () => rung.abort(),
    wait: async (ms, signal) => {
      await pauseFor(ms, AbortSignal.any([signal, rung.signal]));
      if (rung.signal.aborted) rung = new AbortController();
    },
  };
}
