// Shrinks a failing quarter to the fewest acts that still fail: first it leaves out all other people and homes, then ever smaller
// parts, while the failure stays.
import type { Quarter, TimedAct } from "./acts.ts";

export interface Shrinking {
  readonly person: number | null;
  readonly home: number | null;
  /** Whether a quarter still fails in the same way. */
  readonly isFailing: (quarter: Quarter) => Promise<boolean>;
  /** Each run takes seconds, so the smallest quarter found by then is good enough. */
  readonly longestMs: number;
}

export async function shrinkQuarter(
  quarter: Quarter,
  { person, home, isFailing, longestMs }: Shrinking,
): Promise<Quarter> {
  const until = performance.now() + longestMs;
  let { acts } = quarter;
  const tryOnly = async (isKept: (act: TimedAct) => boolean): Promise<void> => {
    const fewer = only(acts, isKept);
    if (
      performance.now() < until &&
      fewer.length < acts.length &&
      (await isFailing({ ...quarter, acts: fewer }))
    )
      acts = fewer;
  };
  await tryOnly((act) => person === null || !("person" in act) || act.person === person);
  await tryOnly((act) => home === null || isOfHome(act, home) !== false);
  for (let size = Math.ceil(acts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < acts.length && performance.now() < until; ) {
      const part = new Set(acts.slice(from, from + size));
      const count = acts.length;
      await tryOnly((act) => !part.has(act));
      if (acts.length === count) from += size;
    }
  }
  return { ...quarter, acts };
}

/** Undefined for acts that are about no home. */
function isOfHome(act: TimedAct, home: number): boolean | undefined {
  if (act.act === "publish") return act.homes.includes(home);
  return "home" in act ? act.home === home : undefined;
}

/** The others keep their times, except that the first act begins at once. */
function only(acts: readonly TimedAct[], isKept: (act: TimedAct) => boolean): TimedAct[] {
  const kept: TimedAct[] = [];
  let left = 0;
  for (const act of acts) {
    if (isKept(act)) {
      kept.push({ ...act, after: kept.length === 0 ? 0 : act.after + left });
      left = 0;
    } else left += act.after;
  }
  return kept;
}
