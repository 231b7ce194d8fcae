/**
 * What a feed costs: a page for each check, and another one for every fifty adverts that came since the check before. How many come
 * is learned from regular checks; until then it is guessed from the size of the place.
 */
import { allPlaces } from "#core/places/places.ts";
import { MAX_PAGE_SIZE } from "#core/ports/source.ts";
import type { OfficialQuery } from "#core/search/official-request.ts";
import type { Search } from "#core/search/search.ts";

/** A reading ends there, with a gap. */
const MOST_PAGES = 20;
const HOUR_SECONDS = 3_600;
/** In one of the smallest places of the catalogue. About 130 such places are listed as the city of Madrid. */
const ADVERTS_PER_HOUR = 0.05;
/** Madrid has one of them per five square kilometres. */
const PLACES_PER_KM2 = 0.2;
/** Of adverts with a feature that only the source can ask for. */
const FILTERED_SHARE = 0.3;
/** Learned rates correct a guess by this factor at most. */
const MOST_CORRECTED = 20;

export interface FeedLoad {
  readonly intervalSeconds: number;
  readonly advertsPerHour: number;
}

export function pagesPerCheck({ intervalSeconds, advertsPerHour }: FeedLoad): number {
  return Math.min(MOST_PAGES, 1 + (advertsPerHour * intervalSeconds) / HOUR_SECONDS / MAX_PAGE_SIZE);
}

export function pagesPerHour(load: FeedLoad): number {
  return (pagesPerCheck(load) * HOUR_SECONDS) / load.intervalSeconds;
}

/** Learned rates of adverts an hour, by feed key; undefined for a feed that was not checked regularly yet. */
export type LearnedRates = (key: string) => number | undefined;

/** A planned feed: a source, a query for it, and a key that identifies both. */
export type PlannedFeed =
  | { readonly key: string; readonly source: "official"; readonly query: OfficialQuery }
  | { readonly key: string; readonly source: "by-url"; readonly query: Search };

export type OfficialFeed = Extract<PlannedFeed, { source: "official" }>;

/** What is known of the costs of feeds. */
export interface CostFacts {
  /** Of a feed in use; undefined for others. */
  readonly intervalOf: (key: string) => number | undefined;
  readonly advertsPerHourOf: LearnedRates;
  /** The interval that the requests allow for a new feed. */
  readonly intervalForNew: (advertsPerHour: number) => number;
}

const USUAL_INTERVAL_SECONDS = 600;

export const UNKNOWN_COSTS: CostFacts = {
  intervalOf: () => undefined,
  advertsPerHourOf: () => undefined,
  intervalForNew: () => USUAL_INTERVAL_SECONDS,
};

export function loadOf(feed: OfficialFeed, costs: CostFacts): FeedLoad {
  const advertsPerHour = advertsPerHourOf(feed, costs.advertsPerHourOf);
  return {
    intervalSeconds: costs.intervalOf(feed.key) ?? costs.intervalForNew(advertsPerHour),
    advertsPerHour,
  };
}

type RatedFeed = Pick<OfficialFeed, "key" | "query">;

/** The learned rate, or a guess that is corrected by what is known of feeds that overlap with it. */
export function advertsPerHourOf(
  feed: RatedFeed,
  learned: LearnedRates,
  relatives: readonly RatedFeed[] = [],
): number {
  const own = learned(feed.key);
  if (own !== undefined) return own;
  let known = 0;
  let guessed = 0;
  for (const { key, query } of relatives) {
    const rate = learned(key);
    if (rate === undefined) continue;
    known += rate;
    guessed += guessOf(query);
  }
  const correction = guessed === 0 ? 1 : known / guessed;
  return guessOf(feed.query) * Math.min(MOST_CORRECTED, Math.max(1 / MOST_CORRECTED, correction));
}

function guessOf({ where, filters }: OfficialQuery): number {
  const places =
    "placeId" in where ? placesIn(where.placeId) : Math.PI * (where.distanceM / 1000) ** 2 * PLACES_PER_KM2;
  return places * ADVERTS_PER_HOUR * (filters.length > 0 ? FILTERED_SHARE : 1);
}

let counts: Map<string, number> | undefined;

/** The number of smallest places in a place of the catalogue. */
function placesIn(placeId: string): number {
  counts ??= countedPlaces();
  return counts.get(placeId) ?? 1;
}

function countedPlaces(): Map<string, number> {
  const places = [...allPlaces()];
  const parents = new Set(places.map(({ parentId }) => parentId));
  const counted = new Map<string, number>();
  for (const { id } of places) {
    if (parents.has(id)) continue;
    const parts = id.split("-");
    for (let length = parts.length; length > 3; length--) {
      const outer = parts.slice(0, length).join("-");
      counted.set(outer, (counted.get(outer) ?? 0) + 1);
    }
  }
  return counted;
}
