export type Random = () => number;

/** A seeded random generator (mulberry32), so that every run draws the same numbers. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// Tests of the web app are compiled without the types of Node.
const { env: environment } = (
  globalThis as unknown as { process: { env: Readonly<Record<string, string | undefined>> } }
).process;

/** The same in every `npm test`, so that it fails only by what was changed. `npm run test:long` draws one and prints it. */
export const SEQUENCE_SEED = Number(environment.SEQUENCE_SEED ?? 1);
const TIMES = Number(environment.SEQUENCE_RUNS ?? 1);

/** How many cases a generated test draws: `SEQUENCE_RUNS` times its usual number. */
export const sequenceRuns = (usual: number): number => Math.ceil(usual * TIMES);

/** What fast-check needs to draw that many cases from the seed. Its failures print both. */
export const drawn = (usual = 100) => ({ seed: SEQUENCE_SEED, numRuns: sequenceRuns(usual) });
