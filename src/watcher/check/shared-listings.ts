/**
 * Which adverts two feeds have in common. A feed that takes over the searches of another one finds in its list where the other one
 * ended only among these: all others lie between them in the wider list.
 */
import { metresBetween } from "#core/finds/distance.ts";
import type { Listing } from "#core/listing/listing.ts";
import { listingFactsOf } from "#core/matching/listing-facts.ts";
import { placeAnswer } from "#core/matching/match-place.ts";
import type { OfficialQuery } from "#core/search/official-request.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";

/** A place near the border of a circle may be written a little differently from one answer to the next. */
const CERTAIN_SHARE = 0.95;

type Asking = Pick<FeedRow, "source" | "query">;

/** Whether both feeds certainly list an advert; undefined if they ask for different things, so that nobody can say. */
export function sharedListingsOf(one: Asking, other: Asking): ((listing: Listing) => boolean) | undefined {
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
