/** What planning of searches, of the demo and of the day have in common. */
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { WatcherSources } from "../check/read-feed.ts";
import type { DemoFilter } from "../rows/feeds/demo-filters.ts";
import { addFeeds, type FeedRow, readLearnedRates } from "../rows/feeds/feeds.ts";
import { lockFeeds, moveSearches } from "../rows/feeds/searches.ts";
import type { CostFacts } from "./feed-cost.ts";
import type { AttemptPlan } from "./plan-attempts.ts";
import type { FeedPlan, KeyedSearch } from "./plan-feeds.ts";

export interface CompileOptions {
  readonly sql: Sql;
  readonly sources: WatcherSources;
  readonly demoFilter?: DemoFilter | undefined;
  readonly mayDemoCost: () => Promise<boolean>;
  /** What the requests allow for a new feed. */
  readonly intervalForNew: CostFacts["intervalForNew"];
  /** How many first checks of newcomers leave everybody's interval as it is. */
  readonly firstChecksLeft: (source: FeedRow["source"]) => number;
  readonly checkIntervalSeconds: number;
  readonly now: () => number;
  readonly logger: Logger;
  readonly attempt: AttemptPlan;
}

export function keyedSearchOf(filterUrl: string): KeyedSearch | undefined {
  const parsed = parseSearchUrl(filterUrl);
  return parsed.ok ? { search: parsed.search, searchKey: parsed.searchKey } : undefined;
}

export async function readCosts(
  db: Db,
  { intervalForNew }: Pick<CompileOptions, "intervalForNew">,
  feeds: readonly FeedRow[],
): Promise<CostFacts> {
  const rates = await readLearnedRates(db);
  const seconds = new Map(
    feeds.flatMap(({ key, promisedSeconds, intervalSeconds }) =>
      promisedSeconds === null ? [] : [[key, intervalSeconds]],
    ),
  );
  return {
    intervalOf: (key) => seconds.get(key),
    advertsPerHourOf: (key) => rates.get(key),
    intervalForNew,
  };
}

interface Applied {
  readonly now: Date;
  readonly options: Pick<CompileOptions, "checkIntervalSeconds">;
  /** In use. */
  readonly feeds: readonly FeedRow[];
  readonly heldKeys: readonly (string | null)[];
}

/** Locks every feed whose searches change: the old and the new ones. A feed that takes over is checked as often as its parts. */
export async function applyPlan(
  db: Db,
  plan: FeedPlan,
  { now, options, feeds, heldKeys }: Applied,
): Promise<void> {
  const { feedKeyOf, replaced, added } = plan;
  const keys = [...feedKeyOf.values(), ...replaced.keys(), ...replaced.values(), ...heldKeys];
  await lockFeeds(
    db,
    [...new Set(keys)].filter((key) => key !== null),
  );
  const live = new Map(feeds.map((feed) => [feed.key, feed]));
  const taking = [...new Set(replaced.values())].flatMap((toKey) => live.get(toKey) ?? []);
  const withIntervals = [...added, ...taking].map((feed) => {
    const parts = [...replaced].filter(([, toKey]) => toKey === feed.key).map(([fromKey]) => fromKey);
    if (parts.length === 0) return feed;
    const seconds = [feed.key, ...parts].map((key) => live.get(key)?.intervalSeconds ?? Infinity);
    return { ...feed, intervalSeconds: Math.min(...seconds) };
  });
  await addFeeds(db, withIntervals, { now, intervalSeconds: options.checkIntervalSeconds });
  for (const [fromKey, toKey] of replaced) await moveSearches(db, { fromKey, toKey });
}

/** The feeds of these searches, and those that replaced another feed. */
export function keysOf({ feedKeyOf, replaced }: FeedPlan, searches: readonly KeyedSearch[]): string[] {
  const own = searches.map(({ searchKey }) => feedKeyOf.get(searchKey) ?? null);
  return [...new Set([...own, ...replaced.values()])].filter((key) => key !== null);
}
