/** Previews what a search would find, from the listings that feeds have seen. It sends no requests to sources. */
import type { Sql } from "postgres";
import { cardOf } from "#core/listing/card-of.ts";
import { listingFactsOf } from "#core/matching/listing-facts.ts";
import { matches } from "#core/matching/match.ts";
import type { Search } from "#core/search/search.ts";
import { type LooseningHint, looserSearches, type SearchPreview } from "#core/search/search-preview.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import type { PlannedFeed } from "../plan/feed-cost.ts";
import { type KeyedSearch, planFeeds } from "../plan/plan-feeds.ts";
import { type FeedRow, readLiveFeeds } from "../rows/feeds/feeds.ts";
import { readFirstSeenAt, readSeenListings, type SeenListing } from "../rows/previews.ts";

const DAY_MS = 86_400_000;
const SEEN_DAYS = 30;
const MOST_LISTINGS = 5_000;
const NEWEST = 3;
/** On a feed's first day its full scan is still missing, so newly seen listings may be old. */
const SETTLING_MS = DAY_MS;

export async function previewSearch(sql: Sql, filterUrl: string, now: Date): Promise<SearchPreview> {
  const parsed = parseSearchUrl(filterUrl);
  const feed = parsed.ok ? feedFor(parsed, await readLiveFeeds(sql)) : undefined;
  if (!parsed.ok || !feed || feed.lastOkAt === null) return { isKnown: false };
  const since = new Date(now.getTime() - SEEN_DAYS * DAY_MS);
  const seen = await readSeenListings(sql, { feedKey: feed.key, since, limit: MOST_LISTINGS });
  const seeingSince = (await readFirstSeenAt(sql, feed.key)) ?? now;
  return previewOf(parsed.search, seen, {
    now,
    seeingSince,
    isAtLeast: !feed.isReadToEnd || seen.length === MOST_LISTINGS,
  });
}

/** The feed that certainly covers the search: planned as a search that must not cost requests. */
function feedFor({ search, searchKey }: KeyedSearch, feeds: readonly FeedRow[]): FeedRow | undefined {
  const { feedKeyOf } = planFeeds({
    feeds: feeds as unknown as PlannedFeed[],
    searches: [],
    piggyback: [{ search, searchKey }],
    hasOfficial: feeds.some(({ source }) => source === "official"),
    hasByUrl: true,
  });
  return feeds.find(({ key }) => key === feedKeyOf.get(searchKey));
}

interface Seeing {
  readonly now: Date;
  readonly seeingSince: Date;
  readonly isAtLeast: boolean;
}

/** Like alerts, it counts listings that may match. */
function previewOf(search: Search, seen: readonly SeenListing[], seeing: Seeing): SearchPreview {
  const facts = seen.map((one) => ({ ...one, facts: listingFactsOf(one.listing) }));
  const fitting = (wanted: Search) => facts.filter((one) => matches(wanted, one.facts) !== "no");
  const found = fitting(search);
  const listed = found.filter(({ isGone }) => !isGone);
  return {
    isKnown: true,
    count: listed.length,
    isAtLeast: seeing.isAtLeast,
    perWeek: perWeekOf(found, seeing),
    newest: listed
      .slice(0, NEWEST)
      .map(({ listing }) => ({ id: listing.propertyCode, card: cardOf(listing) })),
    hint: found.length > 0 ? null : hintOf(search, (wanted) => fitting(wanted).length, seeing),
  };
}

function perWeekOf(found: readonly SeenListing[], { now, seeingSince }: Seeing): number | null {
  const from = Math.max(seeingSince.getTime() + SETTLING_MS, now.getTime() - SEEN_DAYS * DAY_MS);
  const days = (now.getTime() - from) / DAY_MS;
  if (days < 1) return null;
  const came = found.filter(({ firstSeenAt }) => firstSeenAt.getTime() >= from).length;
  return Math.round((came / days) * 7);
}

function hintOf(
  search: Search,
  countOf: (wanted: Search) => number,
  { now, seeingSince }: Seeing,
): LooseningHint | null {
  const days = Math.min(SEEN_DAYS, Math.max(1, Math.round((now.getTime() - seeingSince.getTime()) / DAY_MS)));
  const counted = looserSearches(search).map(({ search: looser, ...wish }) => ({
    ...wish,
    count: countOf(looser),
    days,
  }));
  const best = counted.toSorted((a, b) => b.count - a.count)[0];
  return best && best.count > 0 ? best : null;
}
