// The law: for each person, homes published that fit = told + left out by rules + summed up + inside a told gap; nothing is told
// twice in one state, and nothing that does not fit; no more requests than the month has.
import { type Breach, DAY_MS, storyOf } from "./breach.ts";
import { type Answer, answerOf, homeBreachOf, isOwed, judgeCuts, judgeGrowth } from "./judge-homes.ts";
import { judgeIntervals, judgePromises } from "./judge-intervals.ts";
import { judgeTold } from "./judge-told.ts";
import { isOff, type QuarterPerson } from "./people.ts";
import type { Lengthening } from "./promises.ts";
import type { Truth } from "./truth.ts";

export interface Verdict {
  /** How many homes were owed to people, by what became of them. */
  readonly answers: Readonly<Record<Answer, number>>;
  readonly breaches: readonly Breach[];
  /** Searches that were checked less often after others came. Shown in the table, because the plan may still do that. */
  readonly slower: readonly Breach[];
}

export interface Trial {
  readonly truth: Truth;
  readonly people: readonly QuarterPerson[];
  readonly monthlyRequests: number | null;
  readonly ends: number;
  readonly lengthened: readonly Lengthening[];
}

export function judgeQuarter({ truth, people, monthlyRequests, ends, lengthened }: Trial): Verdict {
  const answers: Record<Answer, number> = {
    ...{ told: 0, "left out": 0, "summed up": 0, "in a gap": 0 },
    ...{ unseen: 0, unwanted: 0, lost: 0, "never read": 0, "not scanned": 0 },
  };
  const breaches = people.flatMap((person) => [
    ...judgeStart(person, ends),
    ...judgeTold(truth, person),
    ...judgeGrowth(truth, person, ends),
    ...judgeHomes({ truth, person, ends }, answers),
  ]);
  const slower = people.flatMap((person) => judgeIntervals(truth, people, person));
  return {
    answers,
    slower,
    breaches: [...breaches, ...judgePromises(lengthened), ...judgeQuota(truth, monthlyRequests)],
  };
}

interface OnePerson {
  readonly truth: Truth;
  readonly person: QuarterPerson;
  readonly ends: number;
}

function judgeHomes(one: OnePerson, answers: Record<Answer, number>): Breach[] {
  return [...one.truth.homes.values()].flatMap((home) => {
    const about = { ...one, home };
    const untold = home.events.flatMap((event) => {
      if (!isOwed(about, event)) return [];
      const answer = answerOf(about, event);
      answers[answer] += 1;
      return answer === "lost" || answer === "never read" ? [homeBreachOf(about, answer, event)] : [];
    });
    return [...untold, ...judgeCuts(about)];
  });
}

/** Everybody who can be told hears that their watch has begun. */
function judgeStart(person: QuarterPerson, ends: number): Breach[] {
  const [first] = person.states;
  const last = person.states.at(-1);
  if (!first || !last?.wish || isOff(last) || ends - last.at < DAY_MS) return [];
  if (person.received.some(({ is }) => is === "summed-up")) return [];
  const details = storyOf(person);
  return [{ what: "never started", person: person.number, code: null, at: first.at, details }];
}

function judgeQuota({ answered }: Truth, monthlyRequests: number | null): Breach[] {
  const limit = monthlyRequests ?? Number.POSITIVE_INFINITY;
  return [...answered]
    .filter(([, count]) => count > limit)
    .map(([month, count]) => ({
      ...{ what: "quota exceeded" as const, person: null, code: null, at: Date.parse(`${month}-01`) },
      details: `${count} of ${limit} requests in ${month}`,
    }));
}
