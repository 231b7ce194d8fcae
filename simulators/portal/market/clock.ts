/** What the simulator believes the time to be. A held clock moves only when told to. */
export interface Clock {
  now(): number;
}

interface HeldClock extends Clock {
  advance(ms: number): void;
}

export const realClock: Clock = { now: () => Date.now() };

export function createHeldClock(startsAt: number): HeldClock {
  let now = startsAt;
  return {
    now: () => now,
    advance: (ms) => {
      if (!(ms >= 0)) {
        throw new RangeError("a clock does not run backwards");
      }
      now += ms;
    },
  };
}

export function isHeld(clock: Clock): clock is HeldClock {
  return "advance" in clock;
}
