/**
 * Which merged feeds are divided again, because their searches are served for less by narrower feeds at today's interval. The plan of
 * the day asks; a merged feed has to be dearer by a fifth, as it had to be cheaper by a fifth, so that feeds do not change daily.
 */
import {
  advertsPerHourOf,
  type CostFacts,
  loadOf,
  type OfficialFeed,
  type PlannedFeed,
  pagesPerHour,
} from "./feed-cost.ts";
import { type KeyedSearch, narrowestFeedOf, planFeeds } from "./plan-feeds.ts";

const DEARER_BY = 1.2;
const OFFICIAL = { hasOfficial: true, hasByUrl: false };

export interface ServedFeed {
  readonly feed: PlannedFeed;
  /** Those that cost requests. */
  readonly searches: readonly KeyedSearch[];
}

export interface FeedSplit {
  readonly key: string;
  readonly parts: readonly OfficialFeed[];
  /** By search key. */
  readonly feedKeyOf: ReadonlyMap<string, string>;
}

export function planSplits(served: readonly ServedFeed[], costs: CostFacts): FeedSplit[] {
  return served.flatMap(({ feed, searches }) =>
    feed.source === "official" ? (splitOf(feed, searches, costs) ?? []) : [],
  );
}

function splitOf(
  feed: OfficialFeed,
  searches: readonly KeyedSearch[],
  costs: CostFacts,
): FeedSplit | undefined {
  const narrowest = searches.map((search) => narrowestFeedOf(search, OFFICIAL)?.key);
  if (searches.length === 0 || narrowest.includes(feed.key)) return undefined;
  const load = loadOf(feed, costs);
  // What its parts have in common with it is known from it.
  const costsOfParts: CostFacts = {
    intervalOf: () => load.intervalSeconds,
    intervalForNew: () => load.intervalSeconds,
    advertsPerHourOf: costs.advertsPerHourOf,
  };
  const { added, feedKeyOf } = planFeeds({ feeds: [], searches, ...OFFICIAL, costs: costsOfParts });
  const parts = added.filter((part): part is OfficialFeed => part.source === "official");
  if (parts.some(({ key }) => key === feed.key)) return undefined;
  const apart = parts.reduce((sum, part) => {
    const advertsPerHour = advertsPerHourOf(part, costs.advertsPerHourOf, [feed]);
    return sum + pagesPerHour({ intervalSeconds: load.intervalSeconds, advertsPerHour });
  }, 0);
  if (pagesPerHour(load) < apart * DEARER_BY) return undefined;
  return { key: feed.key, parts, feedKeyOf: feedKeyOf as ReadonlyMap<string, string> };
}
