/**
 * Decides which new searches may have their first check now, and records its cost. A first check counts against its person, each
 * chat of the search and, while the person is a newcomer, the account's network addresses and the allowance of all newcomers.
 * An account that has only been used in Telegram has no network address, so all of these share a part of that allowance.
 */
import { nextMonthOf } from "#core/ports/request-budget.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { WatcherSources } from "../check/read-feed.ts";
import {
  countNewcomerChecks,
  type FirstCheckPayer,
  readFirstCheckPayers,
  readNewcomerChecks,
  recordWaitingSearches,
  spendFirstChecks,
} from "../rows/feeds/first-checks.ts";
import { readUsedRequests } from "../rows/feeds/request-budget.ts";
import type { ReadFilter } from "../rows/feeds/searches.ts";
import {
  createAdmission,
  firstCheckAllowances,
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

export async function createFirstChecks(
  db: Db,
  sources: WatcherSources,
  { now, applicants }: { now: Date; applicants: readonly ParsedFilter[] },
): Promise<FirstChecks> {
  const configured = sourcesIn(sources);
  const allowances = firstCheckAllowances(configured.map(({ monthlyRequests }) => monthlyRequests));
  const payersOf = await readFirstCheckPayers(
    db,
    applicants.map(({ filter }) => filter.filterId),
  );
  const months = await readMonths(db, applicants.length === 0 ? [] : configured, now);
  const admit = createAdmission({ now: now.getTime(), allowances, months });
  const has = { hasOfficial: sources.official !== undefined, hasByUrl: sources.byUrl !== undefined };
  const facts = new Map(
    inTurn(applicants).map(({ filter, parsed }) => {
      const known = payersOf.get(filter.filterId) ?? [];
      const isNewcomer = isNew(known, now);
      const isOnlyInChat = known.some((payer) => payer.isOnlyInChat);
      const payers = known.filter(({ kind }) => isNewcomer || kind !== "address");
      const source = parsed && sourceFor(parsed, has);
      const applicant = { payers, isNewcomer, isOnlyInChat, source };
      return [filter.filterId, { ...applicant, until: admit(applicant) }];
    }),
  );

  return {
    isAdmitted: (filterId) => facts.get(filterId)?.until === undefined,
    save: async ({ begun, feedKeyFor, waiting, seen }) => {
      const factsOf = ({ filter }: ParsedFilter) => facts.get(filter.filterId);
      const paid = begun.flatMap((one) =>
        (factsOf(one)?.payers ?? []).map((payer) => ({
          ...payer,
          everySeconds: allowances[payer.kind].everySeconds,
        })),
      );
      await spendFirstChecks(db, paid, now);
      const bySource = Map.groupBy(
        begun.filter((one) => factsOf(one)?.isNewcomer),
        (one) => factsOf(one)?.source,
      );
      for (const [source, some] of bySource) {
        const month = source && months.get(source);
        if (!month) continue;
        // Searches that start on one feed share one check.
        const feeds = new Set(some.map(feedKeyFor));
        const others = new Set(some.filter((one) => !factsOf(one)?.isOnlyInChat).map(feedKeyFor));
        const counted = { source, checks: feeds.size, chatChecks: feeds.size - others.size };
        await countNewcomerChecks(db, counted, new Date(month.at));
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

/** A person who never had a first check, or had the very first one a few days ago. */
function isNew(payers: readonly FirstCheckPayer[], now: Date): boolean {
  const firstAt = payers.find(({ kind }) => kind === "person")?.firstAt;
  return !firstAt || firstAt.getTime() > now.getTime() - NEWCOMER_DAYS * DAY_MS;
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
  now: Date,
): Promise<Map<ConfiguredSource["name"], NewcomerMonth>> {
  const months = new Map<ConfiguredSource["name"], NewcomerMonth>();
  for (const { name, monthlyRequests: limit } of configured) {
    if (limit === null) continue;
    const usedSoFar = await readUsedRequests(db, name, now);
    // If the requests are spent, the first check happens in the next month.
    const isSpent = usedSoFar >= limit;
    const [at, used] = isSpent ? [nextMonthOf(now.getTime()), 0] : [now.getTime(), usedSoFar];
    months.set(name, { at, limit, used, ...(await readNewcomerChecks(db, name, new Date(at))) });
  }
  return months;
}
