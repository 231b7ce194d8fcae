/**
 * The tasks of the watcher as single calls, without timers: compile filters, set the intervals, check a feed, start searches,
 * delete old data, compute market figures. Any number of processes may run any of them concurrently.
 */
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import type { Routes } from "#core/ports/routes.ts";
import { inTransaction, isLost } from "#platform/database/in-transaction.ts";
import { hasChangedTowns } from "#store/finds/market-figures.ts";
import { type CheckOptions, checkFeed, type PageLimits } from "./check/check-feed.ts";
import { createFeedIndexes } from "./check/feed-indexes.ts";
import type { WatcherSources } from "./check/read-feed.ts";
import { isFullScanDue, runFullScan } from "./check/run-full-scan.ts";
import { createTravelTimes } from "./find-travel-times.ts";
import { startSearches } from "./ingest/start-searches.ts";
import { compileFilters } from "./plan/compile-filters.ts";
import { createPlanAttempts } from "./plan/plan-attempts.ts";
import { createPlanOfDay } from "./plan/plan-of-day.ts";
import { createSourcePlans } from "./plan/source-plans.ts";
import { refreshChangedTowns, refreshMarketFigures } from "./refresh-market-figures.ts";
import { refreshMeasuredFigures } from "./refresh-measured-figures.ts";
import { findFeedsToStartOn } from "./rows/feeds/coverage.ts";
import type { DemoFilter } from "./rows/feeds/demo-filters.ts";
import { findDueFeeds, lockFeed } from "./rows/feeds/feeds.ts";
import { tellGaps } from "./rows/feeds/gaps.ts";
import { deleteSourceless, lockPlanning } from "./rows/feeds/searches.ts";
import { deleteSourceIntervals } from "./rows/feeds/source-intervals.ts";
import { recordAllGone } from "./rows/portal-listings.ts";
import { offerSummaries } from "./rows/summary-offers.ts";
import { forgetOld } from "./rows/watch-housekeeping.ts";

export interface WatchTasksOptions {
  readonly sql: Sql;
  readonly sources: WatcherSources;
  readonly routes?: Routes | undefined;
  /** The check interval, if the request quota allows it. */
  readonly checkIntervalSeconds: number;
  readonly demoFilter?: DemoFilter | undefined;
  readonly pages?: Partial<PageLimits> | undefined;
  readonly now: () => number;
  readonly logger: Logger;
  readonly onCheck?: CheckOptions["onCheck"];
}

export type WatchTasks = ReturnType<typeof createWatchTasks>;

export const PAGES: PageLimits = { baseline: 4, newest: 20, furthest: 60, deep: 20 };

/** Who limits a reading limits it however plenty the requests are. */
function pagesOf(limits: Partial<PageLimits> = {}): PageLimits {
  return { ...PAGES, furthest: limits.newest ?? PAGES.furthest, ...limits };
}

export function createWatchTasks(options: WatchTasksOptions) {
  const { sql, sources, now } = options;
  const indexes = createFeedIndexes();
  const pages = pagesOf(options.pages);
  const attempt = createPlanAttempts(options);
  const plans = createSourcePlans({ ...options, pages, attempt });
  const { mayFullScan, scanPages, baselinePages } = plans;
  const checkOptions: CheckOptions = { ...options, indexes, pages, mayFullScan, scanPages, baselinePages };
  const { mayDemoCost, intervalForNew, firstChecksLeft } = plans;
  const compileOptions = { ...options, attempt, mayDemoCost, intervalForNew, firstChecksLeft };
  const planDay = createPlanOfDay(compileOptions);

  return {
    /** Must be called once before the other tasks. */
    prepare: async (): Promise<void> => {
      const configured = [...(sources.official ? ["official"] : []), ...(sources.byUrl ? ["by-url"] : [])];
      await inTransaction(sql, async (db) => {
        await lockPlanning(db);
        await deleteSourceless(db, configured);
        await deleteSourceIntervals(db, configured);
      });
    },
    compile: (filterIds?: readonly string[]) => compileFilters(compileOptions, filterIds),
    /** Sets the intervals that the remaining requests allow, and once a day merges and splits feeds accordingly. */
    setIntervals: async () => {
      await plans.refresh();
      await attempt("merges", planDay);
    },
    findDue: (limit: number) => findDueFeeds(sql, new Date(now()), limit),
    check: (feedKey: string, signal: AbortSignal) => checkFeed(checkOptions, feedKey, signal),
    isScanDue: () => isFullScanDue(checkOptions),
    /** Continues a full scan, if its lease is free. Returns the number of pages read. */
    readDeeper: (signal: AbortSignal) => runFullScan(checkOptions, signal),
    /** Starts searches for which their feeds need no further check. */
    join: () => startAllSearches(options),
    /** Fetches missing travel times to people's own places. Returns their number. */
    findTravelTimes: createTravelTimes(options),
    housekeep: async () => {
      const at = new Date(now());
      const offers = await offerSummaries(sql, at);
      const gaps = await inTransaction(sql, (db) => tellGaps(db, at));
      return { ...(await forgetOld(sql, at)), gone: await recordAllGone(sql, at), offers, gapsTold: gaps };
    },
    refreshMarket: () => refreshMarketFigures(sql, new Date(now())),
    hasChangedTowns: () => hasChangedTowns(sql),
    /** Updates the figures of towns in which checks found changes. */
    refreshChangedTowns: () => refreshChangedTowns(sql, new Date(now())),
    /** Measures what the public page shows. */
    refreshMeasured: () => refreshMeasuredFigures(sql, new Date(now())),
    /** Drops the indexes in memory; they are rebuilt when needed. */
    forgetIndexes: () => indexes.forget(),
  };
}

async function startAllSearches({
  sql,
  now,
  checkIntervalSeconds,
  logger,
}: WatchTasksOptions): Promise<void> {
  for (;;) {
    const okSince = new Date(now() - checkIntervalSeconds * 1000);
    const keys = await findFeedsToStartOn(sql, { okSince, now: new Date(now()) });
    let joined = 0;
    for (const key of keys) {
      const start = inTransaction(sql, async (db) => {
        const feed = await lockFeed(db, key);
        if (!feed?.lastOkAt) return 0;
        const reading = feed.lastOkAt >= okSince ? "recent" : "earlier";
        return await startSearches(db, { feed, now: now(), reading });
      });
      joined += await start.catch((error: unknown) => {
        if (isLost(error)) throw error;
        // The feed's next check starts them, or sets the feed aside.
        logger.error({ err: error, feed: key }, "searches could not be started");
        return 0;
      });
    }
    if (joined === 0) return;
  }
}
