/** Which new searches may have a first check now: everyone who pays for one has it left, and newcomers together have too. */
import { nextMonthOf } from "#core/ports/request-budget.ts";
import type { FeedRow } from "#store/feeds/feeds.ts";
import type { FirstCheckPayer } from "#store/feeds/first-checks.ts";
import type { Allowance, NewcomerMonth, PayerKind } from "./first-check-allowance.ts";
import { newcomerChecksLeft } from "./first-check-allowance.ts";

type Source = FeedRow["source"];

export interface Applicant {
  readonly payers: readonly FirstCheckPayer[];
  readonly isNewcomer: boolean;
  /** Undefined where no source can answer. */
  readonly source: Source | undefined;
}

export interface AdmissionOptions {
  readonly now: number;
  readonly allowances: Readonly<Record<PayerKind, Allowance>>;
  /** Of each source whose requests are counted. */
  readonly months: ReadonlyMap<Source, NewcomerMonth>;
}

/** Admits one applicant after another; gives until when it waits, or undefined where it may begin. */
export function createAdmission({ now, allowances, months }: AdmissionOptions) {
  const wholeAt = new Map<string, number>();
  const left = new Map(
    [...months].map(([source, month]) => [source, { at: month.at, ...newcomerChecksLeft(month) }]),
  );
  const wholeAtOf = ({ id, wholeAt: stored }: FirstCheckPayer) =>
    Math.max(now, wholeAt.get(id) ?? stored?.getTime() ?? now);
  const freeAt = (payer: FirstCheckPayer) => {
    const { atOnce, everySeconds } = allowances[payer.kind];
    return wholeAtOf(payer) - (atOnce - 1) * everySeconds * 1000;
  };

  return ({ payers, isNewcomer, source }: Applicant): Date | undefined => {
    const together = isNewcomer && source ? left.get(source) : undefined;
    const until = Math.max(now, ...payers.map(freeAt), together ? newcomersFreeAt(together, now) : now);
    if (until > now) return new Date(until);
    for (const payer of payers)
      wholeAt.set(payer.id, wholeAtOf(payer) + allowances[payer.kind].everySeconds * 1000);
    if (together && source)
      left.set(source, { ...together, today: together.today - 1, thisMonth: together.thisMonth - 1 });
    return undefined;
  };
}

type ChecksLeft = ReturnType<typeof newcomerChecksLeft> & { readonly at: number };

function newcomersFreeAt({ at, today, thisMonth }: ChecksLeft, now: number): number {
  if (thisMonth < 1) return nextMonthOf(at);
  return today < 1 ? new Date(at).setUTCHours(24, 0, 0, 0) : now;
}
