// Runs and judges a quarter; a failing one is shrunk.
import { describeActs, minutesOf, type Quarter } from "./acts.ts";
import type { Breach } from "./breach.ts";
import { judgeQuarter, type Verdict } from "./law.ts";
import { runQuarter } from "./run-quarter.ts";
import { shrinkQuarter } from "./shrink-quarter.ts";

export interface QuarterReport extends Verdict {
  readonly homes: number;
  /** The most answered requests of a month. */
  readonly requests: number;
  readonly refused: number;
  readonly seconds: number;
  /** The homes' numbers by code. */
  readonly homeOf: ReadonlyMap<string, number>;
}

export async function tryQuarter(quarter: Quarter): Promise<QuarterReport> {
  const began = performance.now();
  const world = await runQuarter(quarter);
  try {
    const ends = quarter.beginsAt + minutesOf(quarter) * 60_000;
    const { monthlyRequests } = quarter;
    const verdict = judgeQuarter({
      truth: world.truth,
      people: [...world.people.values()],
      monthlyRequests,
      ends,
      lengthened: world.lengthened,
    });
    return {
      ...verdict,
      homes: world.homes.size,
      requests: Math.max(0, ...world.truth.answered.values()),
      refused: world.truth.refusedAt.length,
      seconds: Math.round((performance.now() - began) / 1000),
      homeOf: new Map([...world.homes].map(([home, { code }]) => [code, home])),
    };
  } finally {
    await world.close();
  }
}

/** What the first breach is, and the fewest acts that lead to one of its kind. Empty if there is none. */
export async function explainBreaches(
  quarter: Quarter,
  { breaches, homeOf }: QuarterReport,
  longestMs: number,
): Promise<string> {
  const [first] = breaches;
  if (!first) return "";
  let shown = first;
  const smallest = await shrinkQuarter(quarter, {
    person: first.person,
    home: homeOf.get(first.code ?? "") ?? null,
    longestMs,
    isFailing: async (smaller) => {
      const again = (await tryQuarter(smaller)).breaches.find(({ what }) => what === first.what);
      shown = again ?? shown;
      return again !== undefined;
    },
  });
  return [
    `${breaches.length} breaches; the smallest that was found, in ${smallest.acts.length} acts:`,
    lineOf(shown),
    describeActs(smallest.acts),
    "All of them:",
    ...breaches.map(lineOf),
  ].join("\n");
}

const lineOf = ({ what, person, code, at, details }: Breach): string =>
  `${what}: person ${person}, home ${code}, ${new Date(at).toISOString().slice(5, 16)}: ${details}`;
