// Nobody's search is checked less often because others came.
import { type Breach, DAY_MS, stamp } from "./breach.ts";
import type { QuarterPerson } from "./people.ts";
import type { Lengthening } from "./promises.ts";
import type { Truth } from "./truth.ts";

/** The plan rounds intervals and follows what the month's requests allow. */
const WORSE_BY = 1.5;
/** A plan follows what people change within this time. */
const FOLLOWS_MS = DAY_MS / 2;
/** Refusals and downtimes cost requests, which the rest of the month lacks. */
const TROUBLE_MS = 3 * DAY_MS;

export function judgeIntervals(
  truth: Truth,
  people: readonly QuarterPerson[],
  person: QuarterPerson,
): Breach[] {
  return person.intervals.flatMap(({ at, seconds }, n) => {
    const before = person.intervals[n - 1];
    if (!before || seconds < before.seconds * WORSE_BY || isOtherwiseCaused(truth, person, at)) return [];
    const others = people.filter(
      (one) => one !== person && one.states.some((state) => isJustBefore(state.at, at)),
    );
    if (others.length === 0) return [];
    const details = `every ${before.seconds} s until ${stamp(at)}, then every ${seconds} s; ${others.length} others changed`;
    return [{ what: "checked less often because of others", person: person.number, code: null, at, details }];
  });
}

const isJustBefore = (moment: number, at: number) => moment <= at && at - moment <= FOLLOWS_MS;

/** By their own change, a new month, or troubles. */
function isOtherwiseCaused({ refusedAt }: Truth, { states }: QuarterPerson, at: number): boolean {
  const monthOf = (moment: number) => new Date(moment).getUTCMonth();
  return (
    states.some((state) => isJustBefore(state.at, at)) ||
    monthOf(at) !== monthOf(at - FOLLOWS_MS) ||
    refusedAt.some((refused) => refused <= at && at - refused < TROUBLE_MS)
  );
}

/** What others did made somebody's interval longer at once. */
export const judgePromises = (lengthened: readonly Lengthening[]): Breach[] =>
  lengthened.map(({ at, person, beforeSeconds, afterSeconds, cause }) => ({
    ...{ what: "checked less often because of others" as const, person, code: null, at },
    details: `every ${beforeSeconds} s, and every ${afterSeconds} s after ${JSON.stringify(cause)}`,
  }));
