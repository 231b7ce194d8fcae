/**
 * Keeps each source within its monthly quota: the remaining requests determine the interval of its feeds, which users are told.
 * Users are notified when the requests are spent, and the operator is warned before.
 */
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { nextMonthOf } from "#core/ports/request-budget.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import type { WatcherSources } from "../check/read-feed.ts";
import { DOWN_AFTER_ROUNDS } from "../ingest/ingest-reading.ts";
import { type HeldDemo, readDemoFilters } from "../rows/feeds/demo-filters.ts";
import { type FeedRow, readLiveFeeds } from "../rows/feeds/feeds.ts";
import { readUsedRequests, saveMonthlyLimit } from "../rows/feeds/request-budget.ts";
import { saveSourceInterval } from "../rows/feeds/source-intervals.ts";
import { alertQuotaSpent, markSpent, readUnspentFeeds, type SpentQuota } from "../rows/feeds/spent-quota.ts";
import { CATCH_UP_MS, spreadOf } from "./feed-intervals.ts";
import {
  type MonthInput,
  type MonthPlan,
  type MonthRequests,
  planMonth,
  requestsPerHour,
  USUAL_REQUESTS,
} from "./month-plan.ts";
import { notifyOperatorOfPlan } from "./notify-operator.ts";
import type { AttemptPlan } from "./plan-attempts.ts";
import { shareAmong, USUAL_ADVERTS_PER_HOUR } from "./share-among.ts";
import { freeRequests, intervalForNew, type Sharing, suffices } from "./share-intervals.ts";
import { pagesPerHourOf, planWeeklyScans, scanPagesOf, type WeeklyScan } from "./weekly-scans.ts";

/** Less than a hundredth of the month's requests is considered negligible. */
const SMALL_SHARE = 0.01;
const PROMISED_SECONDS = 600;
const DAY_MS = 86_400_000;
const SCARCE_BASELINE = 2;
const WEEK_HOURS = 7 * 24;
const MONTH_SECONDS = 30 * 86_400;

export interface SourcePlansOptions {
  readonly sql: Sql;
  readonly sources: WatcherSources;
  readonly checkIntervalSeconds: number;
  readonly pages: { readonly baseline: number; readonly deep: number };
  readonly now: () => number;
  readonly logger: Logger;
  readonly attempt: AttemptPlan;
}

export interface SourcePlans {
  /** Reads the remaining requests of the month and sets the intervals. */
  refresh(): Promise<void>;
  /** What the official API's requests allow for a new feed, as of the last refresh. */
  intervalForNew(advertsPerHour: number): number;
  /** How many first checks leave everybody's interval as it is. */
  firstChecksLeft(source: FeedRow["source"]): number;
  /** The pages of a first check: fewer if requests are scarce. */
  baselinePages(source: FeedRow["source"]): number;
  mayFullScan(source: FeedRow["source"]): boolean;
  /** How many pages a check of the feed reads on, for its weekly scan; mostly none. */
  scanPages(feed: FeedRow): number;
  /** Whether the demo may have a feed of its own. */
  mayDemoCost(): Promise<boolean>;
}

export function createSourcePlans(options: SourcePlansOptions): SourcePlans {
  const { sql, sources, now, checkIntervalSeconds, pages } = options;
  const asked = askedOf(sources);
  const scanned = new Set<FeedRow["source"]>();
  const scans = new Map<FeedRow["source"], ReadonlyMap<string, WeeklyScan>>();
  const held = new Map<FeedRow["source"], number>();
  const sharings = new Map<FeedRow["source"], Sharing>();
  let isDemoPaid: boolean | undefined;
  const leveledAt = new Map<FeedRow["source"], number>();

  async function refreshSource(
    { name, monthlyRequests, spacingMs }: ReturnType<typeof askedOf>[number],
    feeds: readonly FeedRow[],
    isDaily: boolean,
  ): Promise<MonthPlan> {
    const at = new Date(now());
    const month = await readMonth(options, name, monthlyRequests);
    const heldSeconds = held.get(name);
    const input = { checkIntervalSeconds, month, spacingMs, feeds: feedsOrOne(feeds), pages };
    const plan = planMonth({ ...input, heldSeconds });
    if (feeds.length > 0) held.set(name, plan.intervalSeconds);
    const weekly = planWeeklyScans(feeds, { pagesAWeek: plan.weeklyPages, mostPages: pages.deep - 1 });
    scans.set(name, weekly);
    const sharing = { ...sharingOf({ ...input, feeds: feeds.map(planned) }, { plan, weekly }), isDaily };
    const spentUntil = plan.left === 0 ? new Date(nextMonthOf(now())) : null;
    if (spentUntil) await spendSource(sql, { source: name, until: spentUntil, now: at, isKnown: true });
    else sharings.set(name, await shareAmong(sql, sharing, { source: name, feeds, now: now() }));
    const intervalSeconds = intervalForNew(sharings.get(name) ?? sharing, USUAL_ADVERTS_PER_HOUR);
    await saveSourceInterval(sql, name, { intervalSeconds, spentUntil });
    await notifyOperatorOfPlan(options, { source: name, month, plan, heldSeconds, feeds: feeds.length });
    if (name === asked[0]?.name) {
      const [demo] = await readDemoFilters(sql);
      isDemoPaid = mayDemoCost({ ...input, feeds }, demo);
    }
    return plan;
  }

  async function refresh(): Promise<void> {
    const feeds = Map.groupBy(await readLiveFeeds(sql), ({ source }) => source);
    for (const source of asked) {
      const { name } = source;
      await options.attempt(`intervals of ${name}`, async () => {
        const isDaily = now() - (leveledAt.get(name) ?? Number.NEGATIVE_INFINITY) >= DAY_MS;
        const { hasFullScans } = await refreshSource(source, feeds.get(name) ?? [], isDaily);
        if (isDaily) leveledAt.set(name, now());
        if (hasFullScans) scanned.add(name);
        else scanned.delete(name);
      });
    }
  }

  return {
    refresh,
    intervalForNew: (advertsPerHour) => {
      const sharing = sharings.get("official");
      return sharing ? intervalForNew(sharing, advertsPerHour) : checkIntervalSeconds;
    },
    firstChecksLeft: (source) => {
      const sharing = sharings.get(source);
      return sharing ? Math.floor(freeRequests(sharing) / SCARCE_BASELINE) : Number.POSITIVE_INFINITY;
    },
    baselinePages: (source) => {
      const sharing = sharings.get(source);
      const isScarce = sharing !== undefined && !suffices(sharing);
      return isScarce ? Math.min(SCARCE_BASELINE, pages.baseline) : pages.baseline;
    },
    mayFullScan: (source) => scanned.has(source),
    scanPages: (feed) => scanPagesOf(scans.get(feed.source)?.get(feed.key), feed, now()),
    mayDemoCost: async () => {
      if (isDemoPaid === undefined) await refresh();
      return isDemoPaid ?? false;
    },
  };
}

function askedOf({ official, byUrl }: WatcherSources) {
  return [
    ...(official ? [{ name: "official" as const, ...official }] : []),
    ...(byUrl ? [{ name: "by-url" as const, ...byUrl }] : []),
  ];
}

async function readMonth(
  { sql, now }: SourcePlansOptions,
  name: FeedRow["source"],
  limit: number | null,
): Promise<MonthRequests | null> {
  if (limit === null) return null;
  const at = new Date(now());
  await saveMonthlyLimit(sql, name, limit, at);
  return { limit, used: await readUsedRequests(sql, name, at), now: now() };
}

function sharingOf(
  input: MonthInput,
  { plan, weekly }: { plan: MonthPlan; weekly: ReadonlyMap<string, WeeklyScan> },
): Sharing {
  return {
    feeds: [],
    askedSeconds: input.checkIntervalSeconds,
    ...requestsPerHour(input),
    scannedPerHour: pagesPerHourOf(weekly),
    mostScannedPerHour: plan.weeklyPages / WEEK_HOURS,
    isDaily: false,
  };
}

/** Without feeds, the interval is planned for the first one. */
function feedsOrOne(feeds: readonly FeedRow[]) {
  if (feeds.length === 0) return [{ requestsPerCheck: USUAL_REQUESTS, hasLooked: true }];
  return feeds.map(planned);
}

function planned(feed: FeedRow) {
  const { requestsPerCheck, lastOkAt } = feed;
  return {
    requestsPerCheck,
    hasLooked: lastOkAt !== null,
    advertsPerHour: feed.advertsPerHour ?? USUAL_ADVERTS_PER_HOUR,
  };
}

/**
 * The demo of the landing page has a feed of its own only if all other feeds still keep the promised interval. While there are
 * no other feeds it has one only if requests are plentiful. Otherwise it shows what other feeds see.
 */
function mayDemoCost(
  input: Omit<MonthInput, "feeds"> & { readonly feeds: readonly FeedRow[] },
  demo: Pick<HeldDemo, "feedKey" | "isShared" | "mayCost"> | undefined,
): boolean {
  const { month, checkIntervalSeconds } = input;
  const own = demo?.isShared ? undefined : input.feeds.find(({ key }) => key === demo?.feedKey);
  const others = input.feeds.filter((feed) => feed !== own);
  const requestsPerCheck = own?.requestsPerCheck ?? USUAL_REQUESTS;
  const perMonth = (requestsPerCheck * MONTH_SECONDS) / PROMISED_SECONDS;
  const arePlenty = month === null || perMonth <= month.limit * SMALL_SHARE;
  if (others.length === 0 && !arePlenty) return false;
  const longest = Math.max(checkIntervalSeconds, PROMISED_SECONDS);
  const feeds = [...others.map(planned), { requestsPerCheck, hasLooked: own?.lastOkAt != null }];
  // The demo keeps its feed unless the need is clearly larger.
  const heldSeconds = demo?.mayCost ? longest : undefined;
  const plan = planMonth({ ...input, checkIntervalSeconds: longest, feeds, heldSeconds });
  return plan.intervalSeconds <= longest;
}

/**
 * Notifies everyone served by a source that its monthly requests are spent, and until when. If the end is known, the next
 * checks come after it; if the source only reported a spent quota, the feeds keep trying.
 */
export async function spendSource(sql: Sql, spent: SpentQuota & { isKnown: boolean }): Promise<void> {
  const keys = await readUnspentFeeds(sql, spent);
  const feeds = keys.map((key) => ({
    key,
    nextCheckAt: spent.isKnown ? new Date(spent.until.getTime() + spreadOf(key, CATCH_UP_MS)) : null,
  }));
  await inTransaction(sql, (db) => markSpent(db, feeds, { ...spent, roundsDown: DOWN_AFTER_ROUNDS }));
  await alertQuotaSpent(sql, spent);
}
