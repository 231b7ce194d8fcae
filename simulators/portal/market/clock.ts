/** The simulator's time. */
export interface Clock {
  now(): number;
}

export const realClock: Clock = { now: () => Date.now() };

/** A clock that only moves when the test advances it. */
export function createHeldClock(startsAt: number) {
  let now = startsAt;
  return {
    now: () => now,
    advance: (ms: number) => {
      if (!(ms >= 0)) {
        throw new RangeError("a clock cannot run backwards");
      }
      now += ms;
    },
  };
}
