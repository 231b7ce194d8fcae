import { metresBetween } from "#core/finds/distance.ts";
import type { Listing } from "#core/listing/listing.ts";
import { listingFactsOf } from "#core/matching/listing-facts.ts";
import { placeAnswer } from "#core/matching/match-place.ts";
import type { OfficialQuery } from "#core/search/official-request.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { readListed, readOrder } from "../rows/feed-memory.ts";
import type { StartingSearch } from "../rows/feeds/coverage.ts";
import { type FeedRow, readFeedOf } from "../rows/feeds/feeds.ts";
import { ANCHORS, firstAnchorOf, lastAnchorOf, placesOf } from "./anchors.ts";

/** As deep as a reading can be. */
const REMEMBERED = 3_000;

export interface FormerOrder {
  /** What the other feed remembers as listed, newest first: of both feeds, if that can be said. */
  readonly order: readonly string[];
  readonly isShared: ((listing: Listing) => boolean) | undefined;
  /** Nothing else was listed there. */
  readonly isWhole: boolean;
}

/** The order that a feed finds in its own list, if it takes over searches of the other one. */
export async function readFormerOrder(db: Db, feed: FeedRow, fromKey: string): Promise<FormerOrder> {
  const former = await readFeedOf(db, fromKey);
  const isShared = former && sharedListingsOf(feed, former);
  if (!isShared) return { order: await readOrder(db, fromKey, REMEMBERED), isShared, isWhole: true };
  const listed = (await readListed(db, fromKey, REMEMBERED)).filter(isShared);
  const order = listed.map(({ propertyCode }) => propertyCode);
  return { order, isShared, isWhole: former.isReadToEnd };
}

/** By place in the order of this feed; -1 if the two do not connect. */
export interface FormerAnchors {
  readonly first: number;
  readonly last: number;
  readonly placeOf: ReadonlyMap<string, number>;
}

export type FormerAnchorsOf = (search: StartingSearch) => FormerAnchors | undefined;

/** Where the feeds that served these searches before connect to the one on which they start. */
export async function createFormerAnchors(
  db: Db,
  feed: FeedRow,
  starting: readonly StartingSearch[],
): Promise<FormerAnchorsOf> {
  const reachesBack = ({ since }: StartingSearch) =>
    since === null || (feed.coveredFrom !== null && since >= feed.coveredFrom);
  const far = starting.filter((search) => !reachesBack(search));
  const byKey = new Map<string, FormerAnchors | undefined>();
  if (far.length === 0) return () => undefined;
  const listed = await readListed(db, feed.key, REMEMBERED);
  for (const key of new Set(far.map(({ fromKey }) => fromKey ?? ""))) {
    byKey.set(key, anchorsIn(listed, await readFormerOrder(db, feed, key)));
  }
  return (search) => (reachesBack(search) ? undefined : byKey.get(search.fromKey ?? ""));
}

function anchorsIn(
  listed: readonly Listing[],
  { order, isShared, isWhole }: FormerOrder,
): FormerAnchors | undefined {
  // A short list was known as a whole.
  if (order.length < ANCHORS && order.length > 0 && isWhole) return undefined;
  const codes = listed.map(({ propertyCode }) => propertyCode);
  const placeOf = new Map(codes.map((code, place) => [code, place]));
  const met = isShared ? listed.filter(isShared).map(({ propertyCode }) => propertyCode) : codes;
  const places = placesOf(met, order);
  const placeAt = (index: number) => placeOf.get(met[index] ?? "") ?? -1;
  if (order.length >= ANCHORS) {
    return { first: placeAt(firstAnchorOf(places)), last: placeAt(lastAnchorOf(places)), placeOf };
  }
  // The other feed remembers hardly any of this one's: what lies below these was there before.
  const last = placeAt(met.findLastIndex((code) => order.includes(code)));
  return { first: last, last, placeOf };
}

/** A place near the border of a circle may be written a little differently from one answer to the next. */
const CERTAIN_SHARE = 0.95;

type Asking = Pick<FeedRow, "source" | "query">;

/**
 * Whether both feeds certainly list an advert; undefined if they ask for different things, so that nobody can say. A feed that takes
 * over the searches of another one finds where that one ended only among these: all others lie between them in the wider list.
 */
function sharedListingsOf(one: Asking, other: Asking): ((listing: Listing) => boolean) | undefined {
  if (one.source !== "official" || other.source !== "official") return undefined;
  const [query, otherQuery] = [one.query as OfficialQuery, other.query as OfficialQuery];
  if (marketOf(query) !== marketOf(otherQuery)) return undefined;
  return (listing) => isIn(query, listing) && isIn(otherQuery, listing);
}

const marketOf = ({ operation, kind, filters }: OfficialQuery) =>
  JSON.stringify([operation, kind, filters.map(({ parameter, value }) => [parameter, value])]);

function isIn({ where }: OfficialQuery, listing: Listing): boolean {
  if ("placeId" in where) return placeAnswer(where.placeId, listingFactsOf(listing)) === "yes";
  const { latitude, longitude } = listing;
  if (latitude === null || longitude === null) return false;
  return metresBetween(where, { latitude, longitude }) <= where.distanceM * CERTAIN_SHARE;
}
