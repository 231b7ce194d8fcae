import type { Listing } from "#core/listing/listing.ts";
import type { ListingPreview, SearchPreview } from "#core/search/search-preview.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface AskedPreview {
  /** Null if a chat asks. */
  readonly userId: string | null;
  readonly chatId: string | null;
  readonly filterUrl: string;
}

/** Waiting preview requests, oldest first. After an hour they are ignored. */
export async function readAskedPreviews(db: Db, now: Date, limit: number): Promise<AskedPreview[]> {
  return await db<AskedPreview[]>`
    select user_id as "userId", chat_id::text as "chatId", filter_url as "filterUrl" from watch.search_previews
    where answer is null and asked_at > ${now}::timestamptz - interval '1 hour' order by asked_at limit ${limit}`;
}

/** Does nothing if another link was asked about meanwhile. */
export async function answerPreview(
  db: Db,
  { userId, chatId, filterUrl }: AskedPreview,
  answer: SearchPreview | ListingPreview,
): Promise<void> {
  await db`
    update watch.search_previews set answer = ${jsonOf(db, answer)}
    where (user_id = ${userId} or chat_id = ${chatId}) and filter_url = ${filterUrl} and answer is null`;
}

export interface SeenListing {
  readonly listing: Listing;
  readonly firstSeenAt: Date;
  readonly isGone: boolean;
}

/** The listings that a feed has now or has seen since that day, newest first. */
export async function readSeenListings(
  db: Db,
  { feedKey, since, limit }: { feedKey: string; since: Date; limit: number },
): Promise<SeenListing[]> {
  return await db<SeenListing[]>`
    select portal.listing, seen.first_seen_at as "firstSeenAt", seen.gone_at is not null as "isGone"
    from watch.feed_listings as seen
    join watch.portal_listings as portal on portal.listing_id = seen.listing_id
    where seen.feed_key = ${feedKey} and (seen.gone_at is null or seen.first_seen_at >= ${since})
    order by seen.rank desc limit ${limit}`;
}

/** When the feed first saw a listing; null if never. */
export async function readFirstSeenAt(db: Db, feedKey: string): Promise<Date | null> {
  const [row] = await db<[{ since: Date | null }]>`
    select min(first_seen_at) as since from watch.feed_listings where feed_key = ${feedKey}`;
  return row.since;
}
