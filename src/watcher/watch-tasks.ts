/**
 * The tasks of watching, one call each and none of them on a timer: compile filters, set the interval the requests
 * carry, check a feed, let searches join, forget what is old. Any number of processes may do any of them at once.
 */
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { inTransaction } from "#store/connection/in-transaction.ts";
import type { DemoFilter } from "#store/feeds/demo-filters.ts";
import { type FeedRow, findDueFeeds, lockFeed, readLiveFeeds, setIntervals } from "#store/feeds/feeds.ts";
import { findJoinableFeeds, forgetSourceless, lockPlanning } from "#store/feeds/searches.ts";
import { forgetOld } from "#store/watch-housekeeping.ts";
import { type CheckOptions, checkFeed, type PageLimits } from "./check/check-feed.ts";
import { createFeedIndexes } from "./check/feed-indexes.ts";
import { readDeeper } from "./check/read-deeper.ts";
import type { WatcherSources } from "./check/read-feed.ts";
import { joinSearches } from "./ingest/join-searches.ts";
import { compileFilters } from "./plan/compile-filters.ts";
import { type FeedInterval, intervalOf } from "./plan/feed-intervals.ts";

export interface WatchTasksOptions {
  readonly sql: Sql;
  readonly sources: WatcherSources;
  /** How often every filter is checked, if the requests carry it. */
  readonly checkIntervalSeconds: number;
  readonly demoFilter?: DemoFilter | undefined;
  readonly pages?: Partial<PageLimits> | undefined;
  readonly now: () => number;
  readonly logger: Logger;
}

export type WatchTasks = ReturnType<typeof createWatchTasks>;

const PAGES: PageLimits = { baseline: 4, newest: 20, deep: 20 };
const MONTH_DAYS = 30;
/** A deep reading goes on with the page it ended at. */
const PAGES_READ_TWICE = 1.25;
/** A mean that moves a little does not move everyone's checks. */
const SMALLEST_CHANGE = 0.1;

export function createWatchTasks(options: WatchTasksOptions) {
  const { sql, sources, logger, now, checkIntervalSeconds } = options;
  const indexes = createFeedIndexes();
  const deepSources = new Set<FeedRow["source"]>();
  const checkOptions: CheckOptions = {
    ...options,
    indexes,
    pages: { ...PAGES, ...options.pages },
    mayReadDeep: (source) => deepSources.has(source),
  };

  async function setSourceInterval(source: FeedRow["source"], feeds: readonly FeedRow[]): Promise<void> {
    const own = source === "official" ? sources.official : sources.byUrl;
    const monthlyRequests = own?.monthlyRequests ?? null;
    const requestsPerCheck = feeds.map((feed) => feed.requestsPerCheck);
    const spacingMs = own?.spacingMs;
    const interval = intervalOf({ checkIntervalSeconds, monthlyRequests, spacingMs, requestsPerCheck });
    const deepRequests = feeds.length * checkOptions.pages.deep * PAGES_READ_TWICE * MONTH_DAYS;
    const carriesDeep =
      monthlyRequests === null || interval.requestsPerMonth + deepRequests <= monthlyRequests;
    if (carriesDeep && !interval.isStretched) deepSources.add(source);
    else deepSources.delete(source);
    const isNew = feeds.some((feed) => isOther(feed.intervalSeconds, interval));
    if (!isNew) return;
    await setIntervals(sql, source, { intervalSeconds: interval.intervalSeconds, now: new Date(now()) });
    sayInterval(logger, { source, feeds: feeds.length, monthlyRequests, checkIntervalSeconds, ...interval });
  }

  return {
    /** Once, before anything else. */
    prepare: async (): Promise<void> => {
      const configured = [...(sources.official ? ["official"] : []), ...(sources.byUrl ? ["by-url"] : [])];
      await inTransaction(sql, async (db) => {
        await lockPlanning(db);
        await forgetSourceless(db, configured);
      });
    },
    compile: (filterIds?: readonly string[]) => compileFilters(options, filterIds),
    /** Sets the interval that the month's requests carry for all feeds, and says so where it is a longer one. */
    setIntervals: async (): Promise<void> => {
      const feeds = Map.groupBy(await readLiveFeeds(sql), ({ source }) => source);
      for (const [source, ofSource] of feeds) await setSourceInterval(source, ofSource);
    },
    findDue: (limit: number) => findDueFeeds(sql, new Date(now()), limit),
    check: (feedKey: string, signal: AbortSignal) => checkFeed(checkOptions, feedKey, signal),
    /** A turn of deep reading, where it is anyone's; gives how many pages were read. */
    readDeeper: (signal: AbortSignal) => readDeeper(checkOptions, signal),
    /** Lets searches begin with what their feeds know, where these looked a moment ago. */
    join: () => joinAll(options),
    housekeep: () => forgetOld(sql, new Date(now())),
    /** Drops the copies in memory; they are read again when needed. */
    forgetIndexes: () => indexes.forget(),
  };
}

function isOther(heldSeconds: number, { intervalSeconds, isStretched }: FeedInterval): boolean {
  if (!isStretched) return heldSeconds !== intervalSeconds;
  return Math.abs(heldSeconds - intervalSeconds) > heldSeconds * SMALLEST_CHANGE;
}

function sayInterval(logger: Logger, fields: FeedInterval & Record<string, unknown>): void {
  if (fields.isStretched) {
    logger.warn(
      fields,
      "The month's requests do not carry the interval asked for: every feed is checked less often",
    );
  } else logger.info(fields, "Every feed is checked at the interval asked for");
}

async function joinAll({ sql, now, checkIntervalSeconds }: WatchTasksOptions): Promise<void> {
  for (;;) {
    const keys = await findJoinableFeeds(sql, new Date(now() - checkIntervalSeconds * 1000));
    let joined = 0;
    for (const key of keys) {
      joined += await inTransaction(sql, async (db) => {
        const feed = await lockFeed(db, key);
        return feed?.lastOkAt ? await joinSearches(db, { feed, now: now(), checkIntervalSeconds }) : 0;
      });
    }
    if (joined === 0) return;
  }
}
