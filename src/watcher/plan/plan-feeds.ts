/**
 * Assigns searches to feeds so that few requests are needed. A feed serves every search in its place with its request-only
 * filters; everything else is decided on its answers. Planning is incremental: the input is the feeds in use and the changed
 * searches, the output is the feed of each search, the new feeds, and the feeds that were merged into a larger one. Feeds are
 * merged if that is cheaper by a fifth at their interval, and `split-feeds.ts` splits them again if it has become dearer by a fifth.
 *
 * A search without a reachable chat does not shape feeds: it is served only if an existing feed covers it.
 */

import { reachOf } from "#core/matching/search-limits.ts";
import { contains, enclosingPlaceOf, provinceOf } from "#core/places/places.ts";
import {
  type Circle,
  isOfficialKind,
  type OfficialQuery,
  type PlaceWhere,
  requestOnlyFilters,
} from "#core/search/official-request.ts";
import type { Search } from "#core/search/search.ts";
import {
  advertsPerHourOf,
  type CostFacts,
  loadOf,
  type OfficialFeed,
  type PlannedFeed,
  pagesPerHour,
  UNKNOWN_COSTS,
} from "./feed-cost.ts";
import { circleHolds, circleOfDrawing, sharedCircleOf } from "./grid-circles.ts";

/** A merged feed costs this share of its parts at most. */
const MERGED_COST = 0.8;
const MUNICIPALITY_PARTS = 7;

export interface KeyedSearch {
  readonly searchKey: string;
  readonly search: Search;
}

export interface PlanInput {
  readonly feeds: readonly PlannedFeed[];
  readonly searches: readonly KeyedSearch[];
  /** Searches that must not cost requests. */
  readonly piggyback?: readonly KeyedSearch[];
  readonly hasOfficial: boolean;
  readonly hasByUrl: boolean;
  readonly costs?: CostFacts;
  /** The plan of the day: feeds in use are merged, too. */
  readonly isDaily?: boolean;
}

export interface FeedPlan {
  /** By search key; null if no source can serve it. */
  readonly feedKeyOf: ReadonlyMap<string, string | null>;
  readonly unserved: ReadonlySet<string>;
  readonly added: readonly PlannedFeed[];
  /** Feeds that are no longer needed, and those that serve their searches now. */
  readonly replaced: ReadonlyMap<string, string>;
}

export function planFeeds({ feeds, searches, piggyback = [], ...input }: PlanInput): FeedPlan {
  const { costs = UNKNOWN_COSTS, isDaily = false, ...sources } = input;
  const plan = new Plan(feeds, costs);
  if (isDaily) plan.mergeAll();
  const feedKeyOf = new Map<string, string | null>();
  const unserved = new Set<string>();
  for (const search of searches) {
    if (feedKeyOf.has(search.searchKey)) continue;
    const wanted = narrowestFeedOf(search, sources);
    feedKeyOf.set(search.searchKey, wanted ? plan.serve(wanted) : null);
  }
  for (const search of piggyback) {
    if (feedKeyOf.has(search.searchKey)) continue;
    const wanted = narrowestFeedOf(search, sources);
    const key = wanted ? plan.coveringKeyOf(wanted) : null;
    if (key === undefined) unserved.add(search.searchKey);
    else feedKeyOf.set(search.searchKey, key);
  }
  return { ...plan.result(feedKeyOf), unserved };
}

/** The source that would serve a search; undefined if none can. */
export function sourceFor(search: KeyedSearch, sources: Pick<PlanInput, "hasOfficial" | "hasByUrl">) {
  return narrowestFeedOf(search, sources)?.source;
}

/** The smallest feed that covers a search; undefined if no source can serve it. */
export function narrowestFeedOf(
  { search, searchKey }: KeyedSearch,
  { hasOfficial, hasByUrl }: Pick<PlanInput, "hasOfficial" | "hasByUrl">,
): PlannedFeed | undefined {
  const query = hasOfficial ? officialQueryOf(search) : undefined;
  if (query) return officialFeed(query);
  return hasByUrl ? { key: `by-url ${searchKey}`, source: "by-url", query: search } : undefined;
}

/** The narrowest query that covers a search; undefined if the official API cannot serve it. */
function officialQueryOf(search: Search): OfficialQuery | undefined {
  const { operation, kind } = search;
  if (!isOfficialKind(kind) || reachOf(search) !== "official-api") return undefined;
  const where = whereOf(search);
  const filters = requestOnlyFilters(search).toSorted((a, b) => (a.parameter < b.parameter ? -1 : 1));
  return where && { operation, kind, where, filters };
}

function officialFeed(query: OfficialQuery): OfficialFeed {
  const { where } = query;
  const place =
    "placeId" in where ? where.placeId : `${where.latitude},${where.longitude},${where.distanceM}`;
  return { key: `official ${marketOf(query)} ${place}`, source: "official", query };
}

/** Everything in a query except the place. Only queries of the same market can be merged. */
function marketOf({ operation, kind, filters }: OfficialQuery): string {
  return [operation, kind, ...filters.map(({ parameter, value }) => `${parameter}=${value}`)].join(" ");
}

function whereOf({ where }: Search): PlaceWhere | Circle | undefined {
  if (where.type === "place") return { placeId: where.placeId };
  if (where.type === "drawn") return circleOfDrawing(where.rings);
  const place = where.type === "unlisted-place" ? enclosingPlaceOf(where.path) : undefined;
  return place && { placeId: place.id };
}

class Plan {
  #feeds: Map<string, PlannedFeed>;
  #added = new Map<string, PlannedFeed>();
  #replaced = new Map<string, string>();
  #byMarket = new Map<string, Set<string>>();

  readonly #costs: CostFacts;

  constructor(feeds: readonly PlannedFeed[], costs: CostFacts) {
    this.#costs = costs;
    this.#feeds = new Map(feeds.map((feed) => [feed.key, feed]));
    for (const feed of feeds) this.#enter(feed);
  }

  /** The feed in use that covers the given one. */
  coveringKeyOf(feed: PlannedFeed): string | undefined {
    if (feed.source === "by-url") return this.#feeds.has(feed.key) ? feed.key : undefined;
    return this.#covering(feed.query)?.key;
  }

  serve(feed: PlannedFeed): string {
    return feed.source === "by-url" ? this.#add(feed) : this.#serveQuery(feed.query);
  }

  result(feedKeyOf: Map<string, string | null>): Omit<FeedPlan, "unserved"> {
    for (const [searchKey, key] of feedKeyOf)
      if (key !== null) feedKeyOf.set(searchKey, this.#replacementOf(key));
    const replaced = new Map([...this.#replaced.keys()].map((key) => [key, this.#replacementOf(key)]));
    for (const key of replaced.keys()) if (this.#added.delete(key)) replaced.delete(key);
    return { feedKeyOf, added: [...this.#added.values()], replaced };
  }

  #add(feed: PlannedFeed): string {
    if (!this.#feeds.has(feed.key)) {
      this.#feeds.set(feed.key, feed);
      this.#added.set(feed.key, feed);
      this.#replaced.delete(feed.key);
      this.#enter(feed);
    }
    return feed.key;
  }

  /** The one that is checked most often. */
  #covering(query: OfficialQuery) {
    const covering = this.#ofMarket(query).filter((feed) => holds(feed.query.where, query.where));
    const intervalOf = (feed: OfficialFeed) => loadOf(feed, this.#costs).intervalSeconds;
    return covering.length < 2
      ? covering[0]
      : covering.toSorted((one, other) => intervalOf(one) - intervalOf(other))[0];
  }

  mergeAll(): void {
    for (const { key } of [...this.#feeds.values()]) {
      const feed = this.#feeds.get(key);
      if (feed?.source === "official") this.#merge(feed);
    }
  }

  #serveQuery(query: OfficialQuery): string {
    const covering = this.#covering(query);
    if (covering) return covering.key;
    const feed = officialFeed(query);
    this.#add(feed);
    for (const inner of this.#ofMarket(query)) {
      if (inner.key === feed.key || !holds(query.where, inner.query.where)) continue;
      if (this.#isCheaper(query, [feed, inner], 1)) this.#replace(inner.key, feed.key);
    }
    return this.#merge(feed);
  }

  #merge({ key, query }: OfficialFeed): string {
    return "placeId" in query.where
      ? this.#mergePlaces(key, query, query.where)
      : this.#mergeCircles(key, query);
  }

  #mergePlaces(key: string, query: OfficialQuery, { placeId }: PlaceWhere): string {
    for (const rootId of rootsOf(placeId)) {
      const inside = this.#ofMarket(query).filter(
        ({ query: { where } }) => "placeId" in where && contains(rootId, where.placeId),
      );
      const merged = { ...query, where: { placeId: rootId } };
      if (this.#isCheaper(merged, inside)) return this.#unite(merged, inside);
    }
    return key;
  }

  #mergeCircles(key: string, query: OfficialQuery): string {
    const { where } = query;
    const own = this.#feeds.get(key);
    if ("placeId" in where || own?.source !== "official") return key;
    for (const feed of this.#ofMarket(query)) {
      if (feed.key === key || "placeId" in feed.query.where) continue;
      const shared = sharedCircleOf(where, feed.query.where);
      const merged = shared && { ...query, where: shared };
      if (merged && this.#isCheaper(merged, [own, feed])) return this.#unite(merged, [own, feed]);
    }
    return key;
  }

  #unite(query: OfficialQuery, parts: readonly OfficialFeed[]): string {
    const feed = officialFeed(query);
    this.#add(feed);
    for (const { key } of parts) if (key !== feed.key) this.#replace(key, feed.key);
    return this.#merge(feed);
  }

  /** By a fifth if all are parts, and as often as the part that is checked most often. */
  #isCheaper(query: OfficialQuery, parts: readonly OfficialFeed[], share = MERGED_COST): boolean {
    if (parts.length < 2) return false;
    const loads = parts.map((part) => loadOf(part, this.#costs));
    const intervalSeconds = Math.min(...loads.map((load) => load.intervalSeconds));
    const advertsPerHour = advertsPerHourOf(officialFeed(query), this.#costs.advertsPerHourOf, parts);
    const apart = loads.reduce((sum, load) => sum + pagesPerHour(load), 0);
    return pagesPerHour({ intervalSeconds, advertsPerHour }) <= apart * share;
  }

  #replace(key: string, replacement: string): void {
    const feed = this.#feeds.get(key);
    if (feed?.source !== "official") return;
    this.#feeds.delete(key);
    this.#byMarket.get(marketOf(feed.query))?.delete(key);
    this.#replaced.set(key, replacement);
  }

  #replacementOf(key: string): string {
    let replacement = key;
    for (
      let next = this.#replaced.get(replacement);
      next !== undefined;
      next = this.#replaced.get(replacement)
    )
      replacement = next;
    return replacement;
  }

  #enter(feed: PlannedFeed): void {
    if (feed.source !== "official") return;
    const market = marketOf(feed.query);
    const keys = this.#byMarket.get(market) ?? new Set();
    this.#byMarket.set(market, keys.add(feed.key));
  }

  #ofMarket(query: OfficialQuery): OfficialFeed[] {
    const keys = this.#byMarket.get(marketOf(query)) ?? [];
    return [...keys].flatMap((key) => {
      const feed = this.#feeds.get(key);
      return feed?.source === "official" ? [feed] : [];
    });
  }
}

function holds(outer: PlaceWhere | Circle, inner: PlaceWhere | Circle): boolean {
  if ("placeId" in outer) return "placeId" in inner && contains(outer.placeId, inner.placeId);
  return !("placeId" in inner) && circleHolds(outer, inner);
}

/** Larger places that neighbouring places could share a request for: the town, then the province. */
function rootsOf(placeId: string): string[] {
  const parts = placeId.split("-");
  const town = parts.length > MUNICIPALITY_PARTS ? parts.slice(0, MUNICIPALITY_PARTS).join("-") : undefined;
  return [town, provinceOf(placeId)?.id].filter((id) => id !== undefined && id !== placeId) as string[];
}
