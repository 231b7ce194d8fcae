/** Replaced by a controlled clock in tests. */
export interface Clock {
  now(): number;
  /** Calls `act` once after that time. Returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
}

// Node fires a longer timer at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
