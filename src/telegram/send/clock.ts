/** The time and its alarms, as delivery is handed them. */
export interface Clock {
  now(): number;
  /** Calls once after that time; answers how to call it off. */
  after(ms: number, act: () => void): () => void;
}

// A longer timer fires at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
