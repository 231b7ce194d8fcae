/** A seeded random generator, with the same numbers on every machine. */
export interface Random {
  next(): number;
  between(low: number, high: number): number;
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** Picks by weight: `[["a", 3], ["b", 1]]` gives "a" three times out of four. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T;
  normal(): number;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32, a small generator with 32 bits of state.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + next() * (high - low);
  return {
    next,
    between,
    integer: (low, high) => Math.floor(between(low, high + 1)),
    chance: (probability) => next() < probability,
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
    weighted: (choices) => pickWeighted(choices, next()),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

function pickWeighted<T>(choices: readonly (readonly [T, number])[], roll: number): T {
  let left = roll * choices.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) {
      return choice;
    }
  }
  throw new Error("nothing to pick from");
}
