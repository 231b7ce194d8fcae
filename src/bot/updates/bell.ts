import { pauseFor } from "./pause-for.ts";

/** Wakes the one who waits; rung while nobody does, it is heard by the next. */
export interface Bell {
  ring(): void;
  /** Until it is rung or the time is up. */
  wait(ms: number): Promise<void>;
}

export function createBell(): Bell {
  let rung = new AbortController();
  return {
    ring: () => rung.abort(),
    wait: async (ms) => {
      await pauseFor(ms, rung.signal);
      if (rung.signal.aborted) rung = new AbortController();
    },
  };
}
