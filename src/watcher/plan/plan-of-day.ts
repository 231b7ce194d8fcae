/**
 * Once a day feeds are merged and split as their costs have changed: how many adverts come, and how often the requests allow to check.
 * Searches that come or change are planned when they do.
 */
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { searchOfKey } from "../check/feed-indexes.ts";
import { addFeeds, type FeedRow, markIdleFeeds, readLiveFeeds, scheduleNow } from "../rows/feeds/feeds.ts";
import { lockFeeds, lockPlanning, moveSearches, readServedKeys } from "../rows/feeds/searches.ts";
import { applyPlan, type CompileOptions, readCosts } from "./apply-plan.ts";
import type { PlannedFeed } from "./feed-cost.ts";
import { type KeyedSearch, planFeeds } from "./plan-feeds.ts";
import { type FeedSplit, planSplits } from "./split-feeds.ts";

const DAY_MS = 86_400_000;

export interface PlanOfDayOptions
  extends Pick<CompileOptions, "sources" | "intervalForNew" | "checkIntervalSeconds"> {
  readonly sql: Sql;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Returns a function that plans if a day has passed since it last did. */
export function createPlanOfDay(options: PlanOfDayOptions): () => Promise<void> {
  const { sql, sources, now, logger } = options;
  let plannedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (!sources.official || now() - plannedAt < DAY_MS) return;
    const splits = await findSplits(sql, options);
    await inTransaction(sql, async (db) => {
      await lockPlanning(db);
      for (const split of splits) await applySplit(db, split, options);
      if (splits.length > 0) await markIdleFeeds(db, new Date(now()));
    });
    const merged = await inTransaction(sql, (db) => mergeFeeds(db, options));
    plannedAt = now();
    if (splits.length + merged > 0) {
      logger.info(
        { split: splits.map(({ key }) => key), merged },
        "feeds were divided or merged to save requests",
      );
    }
  };
}

/** Reads and parses every search, so it locks nothing. */
async function findSplits(sql: Sql, options: PlanOfDayOptions): Promise<FeedSplit[]> {
  const feeds = (await readLiveFeeds(sql)).filter(({ source }) => source === "official");
  const keys = await readServedKeys(sql);
  const served = feeds.map((feed) => ({
    feed: feed as unknown as PlannedFeed,
    searches: (keys.get(feed.key) ?? []).flatMap((searchKey): KeyedSearch[] => {
      const search = searchOfKey(searchKey);
      return search ? [{ searchKey, search }] : [];
    }),
  }));
  return planSplits(served, await readCosts(sql, options, feeds));
}

/** Its parts are checked as often as it was. Searches that came meanwhile stay. */
async function applySplit(
  db: Db,
  { key, parts, feedKeyOf }: FeedSplit,
  { now, checkIntervalSeconds }: PlanOfDayOptions,
): Promise<void> {
  const at = new Date(now());
  await lockFeeds(db, [key, ...parts.map((part) => part.key)]);
  const feed = (await readLiveFeeds(db)).find((one) => one.key === key);
  if (!feed) return;
  const added = parts.map((part) => ({
    ...part,
    intervalSeconds: feed.intervalSeconds,
  }));
  await addFeeds(db, added, { now: at, intervalSeconds: checkIntervalSeconds });
  const bySearch = Map.groupBy(feedKeyOf, ([, feedKey]) => feedKey);
  for (const [toKey, entries] of bySearch) {
    await moveSearches(db, { fromKey: key, toKey, searchKeys: entries.map(([searchKey]) => searchKey) });
  }
  await checkSoon(db, parts, timesAt(at, checkIntervalSeconds));
}

async function mergeFeeds(db: Db, plan: PlanOfDayOptions): Promise<number> {
  await lockPlanning(db);
  const at = new Date(plan.now());
  const feeds = await readLiveFeeds(db);
  const merging = planFeeds({
    feeds: feeds as unknown as PlannedFeed[],
    searches: [],
    hasOfficial: true,
    hasByUrl: plan.sources.byUrl !== undefined,
    costs: await readCosts(db, plan, feeds),
    isDaily: true,
  });
  if (merging.replaced.size === 0) return 0;
  await applyPlan(db, merging, { now: at, options: plan, feeds, heldKeys: [] });
  const taking = [...new Set(merging.replaced.values())].map((key) => ({ key }));
  await checkSoon(db, taking, timesAt(at, plan.checkIntervalSeconds));
  await markIdleFeeds(db, at);
  return merging.replaced.size;
}

const timesAt = (now: Date, checkIntervalSeconds: number) => {
  return { now, unlessOkSince: new Date(now.getTime() - checkIntervalSeconds * 1000) };
};

async function checkSoon(
  db: Db,
  feeds: readonly Pick<FeedRow, "key">[],
  times: { now: Date; unlessOkSince: Date },
): Promise<void> {
  await scheduleNow(
    db,
    feeds.map(({ key }) => key),
    times,
  );
}
