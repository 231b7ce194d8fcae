/** The simulator's time and timers. A held clock only moves when the test advances it. */
export interface TelegramClock {
  now(): number;
  /** Calls once after that time. Returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
}

interface HeldTelegramClock extends TelegramClock {
  advance(ms: number): void;
}

export const realTelegramClock: TelegramClock = {
  now: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

export function createHeldTelegramClock(startsAt: number): HeldTelegramClock {
  let now = startsAt;
  const alarms = new Set<{ at: number; act: () => void }>();
  const nextBy = (end: number) =>
    [...alarms].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
  return {
    now: () => now,
    after: (ms, act) => {
      const alarm = { at: now + ms, act };
      alarms.add(alarm);
      return () => void alarms.delete(alarm);
    },
    advance: (ms) => {
      const end = now + ms;
      for (let alarm = nextBy(end); alarm !== undefined; alarm = nextBy(end)) {
        alarms.delete(alarm);
        now = alarm.at;
        alarm.act();
      }
      now = end;
    },
  };
}
