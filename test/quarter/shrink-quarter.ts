// Shrinks a failing quarter to the fewest acts that still fail: it leaves out ever smaller parts while the failure stays.
import type { Quarter, TimedAct } from "./acts.ts";

export interface Shrinking {
  /** Whether a quarter still fails in the same way. */
  readonly isFailing: (quarter: Quarter) => Promise<boolean>;
  /** Each run takes seconds, so the best quarter found by then is good enough. */
  readonly longestMs: number;
}

export async function shrinkQuarter(quarter: Quarter, { isFailing, longestMs }: Shrinking): Promise<Quarter> {
  const until = performance.now() + longestMs;
  const without = (acts: readonly TimedAct[], from: number, count: number): Quarter => ({
    ...quarter,
    acts: leaveOut(acts, from, count),
  });
  let acts = quarter.acts;
  for (let size = Math.ceil(acts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < acts.length && performance.now() < until; ) {
      const smaller = without(acts, from, size);
      if (await isFailing(smaller)) acts = smaller.acts;
      else from += size;
    }
  }
  return { ...quarter, acts };
}

/** The acts after the part keep their time, unless nothing is left before them. */
function leaveOut(acts: readonly TimedAct[], from: number, count: number): TimedAct[] {
  const left = acts.slice(from, from + count).reduce((sum, { after }) => sum + after, 0);
  const [next, ...rest] = acts.slice(from + count);
  if (!next) return acts.slice(0, from);
  return [...acts.slice(0, from), { ...next, after: from === 0 ? next.after : next.after + left }, ...rest];
}
