/**
 * The tasks of watching, one call each and none of them on a timer: compile filters, set the interval the requests
 * carry, check a feed, let searches join, forget what is old, work out the market's figures. Any number of processes may
 * do any of them at once.
 */
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import type { Routes } from "#core/ports/routes.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import type { DemoFilter } from "#store/feeds/demo-filters.ts";
import { findDueFeeds, lockFeed } from "#store/feeds/feeds.ts";
import { findJoinableFeeds, forgetSourceless, lockPlanning } from "#store/feeds/searches.ts";
import { forgetSourceIntervals } from "#store/feeds/source-intervals.ts";
import { noteAllGone } from "#store/listings/portal-listings.ts";
import { forgetOld } from "#store/watch-housekeeping.ts";
import { type CheckOptions, checkFeed, type PageLimits } from "./check/check-feed.ts";
import { createFeedIndexes } from "./check/feed-indexes.ts";
import type { WatcherSources } from "./check/read-feed.ts";
import { runFullScan } from "./check/run-full-scan.ts";
import { startSearches } from "./ingest/start-searches.ts";
import { refreshMarketFigures } from "./market/refresh-market-figures.ts";
import { compileFilters } from "./plan/compile-filters.ts";
import { createSourcePlans } from "./plan/source-plans.ts";
import { createTravelTimes } from "./travel/find-travel-times.ts";

export interface WatchTasksOptions {
  readonly sql: Sql;
  readonly sources: WatcherSources;
  /** Who knows how long ways take, where somebody does. */
  readonly routes?: Routes | undefined;
  /** How often every filter is checked, if the requests carry it. */
  readonly checkIntervalSeconds: number;
  readonly demoFilter?: DemoFilter | undefined;
  readonly pages?: Partial<PageLimits> | undefined;
  readonly now: () => number;
  readonly logger: Logger;
  readonly onCheck?: CheckOptions["onCheck"];
}

export type WatchTasks = ReturnType<typeof createWatchTasks>;

export const PAGES: PageLimits = { baseline: 4, newest: 20, deep: 20 };

export function createWatchTasks(options: WatchTasksOptions) {
  const { sql, sources, now } = options;
  const indexes = createFeedIndexes();
  const pages = { ...PAGES, ...options.pages };
  const plans = createSourcePlans({ ...options, pages });
  const checkOptions: CheckOptions = { ...options, indexes, pages, mayReadDeep: plans.mayReadDeep };
  const compileOptions = { ...options, mayDemoCost: plans.mayDemoCost };

  return {
    /** Once, before anything else. */
    prepare: async (): Promise<void> => {
      const configured = [...(sources.official ? ["official"] : []), ...(sources.byUrl ? ["by-url"] : [])];
      await inTransaction(sql, async (db) => {
        await lockPlanning(db);
        await forgetSourceless(db, configured);
        await forgetSourceIntervals(db, configured);
      });
    },
    compile: (filterIds?: readonly string[]) => compileFilters(compileOptions, filterIds),
    /** Sets the interval that what is left of the month carries, and says so where it is a longer one. */
    setIntervals: () => plans.refresh(),
    findDue: (limit: number) => findDueFeeds(sql, new Date(now()), limit),
    check: (feedKey: string, signal: AbortSignal) => checkFeed(checkOptions, feedKey, signal),
    /** A turn of deep reading, where it is anyone's; gives how many pages were read. */
    readDeeper: (signal: AbortSignal) => runFullScan(checkOptions, signal),
    /** Lets searches begin with what their feeds know, where these looked a moment ago. */
    join: () => joinAll(options),
    /** Asks for the ways to people's own places that nobody has asked about; gives how many became known. */
    findTravelTimes: createTravelTimes(options),
    housekeep: async () => {
      const at = new Date(now());
      return { ...(await forgetOld(sql, at)), gone: await noteAllGone(sql, at) };
    },
    refreshMarket: () => refreshMarketFigures(sql, new Date(now())),
    /** Drops the copies in memory; they are read again when needed. */
    forgetIndexes: () => indexes.forget(),
  };
}

async function joinAll({ sql, now, checkIntervalSeconds }: WatchTasksOptions): Promise<void> {
  for (;;) {
    const keys = await findJoinableFeeds(sql, new Date(now() - checkIntervalSeconds * 1000));
    let joined = 0;
    for (const key of keys) {
      joined += await inTransaction(sql, async (db) => {
        const feed = await lockFeed(db, key);
        return feed?.lastOkAt ? await startSearches(db, { feed, now: now(), checkIntervalSeconds }) : 0;
      });
    }
    if (joined === 0) return;
  }
}
