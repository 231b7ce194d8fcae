/**
 * Decides which new searches may have their first check now, and records its cost. A first check counts against its account and,
 * while that is a newcomer's, against the share of the month that all newcomers have.
 */
import { nextMonthOf } from "#core/ports/request-budget.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { WatcherSources } from "../check/read-feed.ts";
import { readUsedRequests } from "../rows/feeds/request-budget.ts";
import type { ReadFilter } from "../rows/feeds/searches.ts";
import {
  countNewcomerChecks,
  readNewcomerChecks,
  readUsedFirstChecks,
  recordWaitingSearches,
  spendFirstChecks,
  type UsedFirstChecks,
} from "../rows/feeds/used-first-checks.ts";
import {
  createAdmission,
  firstCheckAllowance,
  NEWCOMER_DAYS,
  type NewcomerMonth,
} from "./first-check-allowance.ts";
import { type KeyedSearch, sourceFor } from "./plan-feeds.ts";

const DAY_MS = 86_400_000;

export interface ParsedFilter {
  readonly filter: ReadFilter;
  readonly parsed: KeyedSearch | undefined;
}

export interface FirstChecks {
  isAdmitted(filterId: string): boolean;
  save(outcome: {
    /** Those whose first check costs a check of their feed. */
    begun: readonly ParsedFilter[];
    feedKeyFor: (one: ParsedFilter) => string;
    waiting: readonly ParsedFilter[];
    seen: readonly ReadFilter[];
  }): Promise<void>;
}

interface Applying {
  readonly now: Date;
  readonly applicants: readonly ParsedFilter[];
  /** Those of newcomers that take nothing from what others are promised. */
  readonly checksLeft: (source: ConfiguredSource["name"]) => number;
}

export async function createFirstChecks(
  db: Db,
  sources: WatcherSources,
  { now, applicants, checksLeft }: Applying,
): Promise<FirstChecks> {
  const configured = sourcesIn(sources);
  const allowance = firstCheckAllowance(configured.map(({ monthlyRequests }) => monthlyRequests));
  const usedBy = await readUsedFirstChecks(
    db,
    applicants.map(({ filter }) => filter.userId),
  );
  const months = await readMonths(db, applicants.length === 0 ? [] : configured, { now, checksLeft });
  const admit = createAdmission({ now: now.getTime(), allowance, months });
  const has = { hasOfficial: sources.official !== undefined, hasByUrl: sources.byUrl !== undefined };
  const facts = new Map(
    inTurn(applicants).map(({ filter, parsed }) => {
      const used = usedBy.get(filter.userId);
      const applicant = {
        userId: filter.userId,
        wholeAt: used?.wholeAt ?? null,
        isNewcomer: isNewcomer(used, now),
        source: parsed && sourceFor(parsed, has),
      };
      return [filter.filterId, { ...applicant, until: admit(applicant) }];
    }),
  );

  return {
    isAdmitted: (filterId) => facts.get(filterId)?.until === undefined,
    save: async ({ begun, feedKeyFor, waiting, seen }) => {
      const factsOf = ({ filter }: ParsedFilter) => facts.get(filter.filterId);
      await spendFirstChecks(
        db,
        begun.map(({ filter }) => filter.userId),
        { now, everySeconds: allowance.everySeconds },
      );
      const bySource = Map.groupBy(
        begun.filter((one) => factsOf(one)?.isNewcomer),
        (one) => factsOf(one)?.source,
      );
      for (const [source, some] of bySource) {
        const month = source && months.get(source);
        if (!month) continue;
        // Searches that start on one feed share one check.
        const checks = new Set(some.map(feedKeyFor)).size;
        await countNewcomerChecks(db, { source, checks }, new Date(month.at));
      }
      await recordWaitingSearches(
        db,
        seen.map(({ filterId }) => filterId),
        waiting.flatMap((one) => {
          const until = factsOf(one)?.until;
          const { filterId: searchId, userId } = one.filter;
          return until ? [{ searchId, userId, until }] : [];
        }),
      );
    },
  };
}

/** An account that never had a first check, or had the very first one a few days ago. */
function isNewcomer(used: UsedFirstChecks | undefined, now: Date): boolean {
  return !used || used.firstAt.getTime() > now.getTime() - NEWCOMER_DAYS * DAY_MS;
}

/** Everybody's first search before anybody's second; among these, the oldest first. */
function inTurn(applicants: readonly ParsedFilter[]): ParsedFilter[] {
  const counts = new Map<string, number>();
  return applicants
    .toSorted((one, other) => one.filter.savedAt.getTime() - other.filter.savedAt.getTime())
    .map((one) => {
      const turn = counts.get(one.filter.userId) ?? 0;
      counts.set(one.filter.userId, turn + 1);
      return { one, turn };
    })
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ one }) => one);
}

type ConfiguredSource = { name: "official" | "by-url"; monthlyRequests: number | null };

function sourcesIn({ official, byUrl }: WatcherSources): ConfiguredSource[] {
  return [
    ...(official ? [{ name: "official" as const, monthlyRequests: official.monthlyRequests }] : []),
    ...(byUrl ? [{ name: "by-url" as const, monthlyRequests: byUrl.monthlyRequests }] : []),
  ];
}

async function readMonths(
  db: Db,
  configured: readonly ConfiguredSource[],
  { now, checksLeft }: Pick<Applying, "now" | "checksLeft">,
): Promise<Map<ConfiguredSource["name"], NewcomerMonth>> {
  const months = new Map<ConfiguredSource["name"], NewcomerMonth>();
  for (const { name, monthlyRequests: limit } of configured) {
    if (limit === null) continue;
    const usedSoFar = await readUsedRequests(db, name, now);
    // If the requests are spent, the first check happens in the next month.
    const isSpent = usedSoFar >= limit;
    const [at, used] = isSpent ? [nextMonthOf(now.getTime()), 0] : [now.getTime(), usedSoFar];
    const checks = await readNewcomerChecks(db, name, new Date(at));
    months.set(name, { at, limit, used, checks, ...(!isSpent && { free: checksLeft(name) }) });
  }
  return months;
}
