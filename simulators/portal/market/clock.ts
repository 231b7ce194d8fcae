/** What the simulator believes the time to be. */
export interface Clock {
  now(): number;
}

export const realClock: Clock = { now: () => Date.now() };

/** A clock that moves only when told to. */
export function createHeldClock(startsAt: number) {
  let now = startsAt;
  return {
    now: () => now,
    advance: (ms: number) => {
      if (!(ms >= 0)) {
        throw new RangeError("a clock does not run backwards");
      }
      now += ms;
    },
  };
}
