/** What a feed remembers of its list (`watch.feed_listings`). */
import type { Listing } from "#core/listing/listing.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "./feeds/feeds.ts";
import { recordGone } from "./portal-listings.ts";

export interface KnownListing {
  readonly priceEur: number;
  /** Newer listings have higher ranks. */
  readonly rank: number;
  readonly missed: number;
  readonly goneAt: number | null;
  /** Null for a listing that was last seen by a version that did not compare facts. */
  readonly factsKey: string | null;
}

export interface FeedMemory {
  /** The known ones of the reading. */
  readonly known: ReadonlyMap<string, KnownListing>;
  /** What is listed, newest first: at least as many as the reading has. */
  readonly order: readonly string[];
  /** `order` is all that is listed. */
  readonly isAll: boolean;
  /** Of what is listed, by code. */
  readonly ranks: ReadonlyMap<string, number>;
  readonly topRank: number;
  /** It knows the list to its end. */
  readonly isReadToEnd: boolean;
}

/** More than withdrawn adverts can push out of a reading. */
const REMEMBERED_MORE = 300;

/** What the feed remembers, as far down as these listings can reach. */
export async function readMemory(db: Db, feed: FeedRow, listings: readonly Listing[]): Promise<FeedMemory> {
  const codes = listings.map(({ propertyCode }) => propertyCode);
  const known = await readKnown(db, feed.key, codes);
  const most = codes.length + REMEMBERED_MORE;
  const ranks = await readRanks(db, feed.key, most);
  return {
    known,
    order: [...ranks.keys()],
    isAll: ranks.size < most,
    ranks,
    topRank: feed.topRank,
    isReadToEnd: feed.isReadToEnd,
  };
}

/** Those of these listings that the feed remembers, by code. */
export async function readKnown(
  db: Db,
  feedKey: string,
  codes: readonly string[],
): Promise<Map<string, KnownListing>> {
  const rows = await db<(KnownListing & { listingId: string })[]>`
    select listing_id as "listingId", price_eur as "priceEur", rank::float8 as rank, missed,
      floor(extract(epoch from gone_at) * 1000)::float8 as "goneAt", facts_key as "factsKey"
    from watch.feed_listings
    where feed_key = ${feedKey} and listing_id in (select jsonb_array_elements_text(${jsonOf(db, codes)}))`;
  return new Map(rows.map(({ listingId, ...known }) => [listingId, known]));
}

/** The codes that a feed remembers as listed, newest first; with `by`, only those that it had seen by then. */
export async function readOrder(db: Db, feedKey: string, limit: number, by?: Date): Promise<string[]> {
  return [...(await readRanks(db, feedKey, limit, by)).keys()];
}

/** The same with their ranks. */
async function readRanks(db: Db, feedKey: string, limit: number, by?: Date): Promise<Map<string, number>> {
  const rows = await db<{ code: string; rank: number }[]>`
    select listing_id as code, rank::float8 as rank from watch.feed_listings
    where feed_key = ${feedKey} and gone_at is null ${by ? db`and first_seen_at <= ${by}` : db``}
    order by rank desc limit ${limit}`;
  return new Map(rows.map(({ code, rank }) => [code, rank]));
}

export async function countListed(db: Db, feedKey: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from watch.feed_listings where feed_key = ${feedKey} and gone_at is null`;
  return row.count;
}

/** The current listings of a feed, as far as it has read, newest first. */
export async function readListed(db: Db, feedKey: string, limit: number): Promise<Listing[]> {
  const rows = await db<{ listing: Listing }[]>`
    select portal.listing from watch.feed_listings as seen
    join watch.portal_listings as portal on portal.listing_id = seen.listing_id
    where seen.feed_key = ${feedKey} and seen.gone_at is null
    order by seen.rank desc limit ${limit}`;
  return rows.map(({ listing }) => listing);
}

export interface FeedListing {
  readonly propertyCode: string;
  readonly priceEur: number;
  readonly rank: number;
  readonly factsKey: string;
}

export async function recordFeedListings(
  db: Db,
  feedKey: string,
  kept: readonly FeedListing[],
  now: Date,
): Promise<void> {
  if (kept.length === 0) return;
  await db`
    insert into watch.feed_listings (feed_key, listing_id, rank, price_eur, facts_key, first_seen_at)
    select ${feedKey}, "propertyCode", rank, "priceEur", "factsKey", ${now}
    from jsonb_to_recordset(${jsonOf(db, kept)}) as kept (
      "propertyCode" text, rank bigint, "priceEur" float8, "factsKey" text
    )
    order by "propertyCode"
    on conflict (feed_key, listing_id) do update set
      rank = excluded.rank, price_eur = excluded.price_eur, facts_key = excluded.facts_key, missed = 0, gone_at = null`;
}

/** Of listings that were not seen in this reading. */
export async function moveUp(
  db: Db,
  feedKey: string,
  moved: readonly Pick<FeedListing, "propertyCode" | "rank">[],
): Promise<void> {
  if (moved.length === 0) return;
  await db`
    update watch.feed_listings set rank = moved.rank
    from jsonb_to_recordset(${jsonOf(db, moved)}) as moved ("propertyCode" text, rank bigint)
    where feed_listings.feed_key = ${feedKey} and feed_listings.listing_id = moved."propertyCode"`;
}

/** Counts a miss for every listing above the rank that was not seen. Returns the listings that are gone now. */
export async function recordMissed(
  db: Db,
  feedKey: string,
  missed: { aboveRank: number; metCodes: readonly string[]; seenUntil: Date; untilGone: number; now: Date },
): Promise<Listing[]> {
  const rows = await db<{ listing: Listing; isGone: boolean }[]>`
    update watch.feed_listings as seen set
      missed = seen.missed + 1,
      gone_at = case when seen.missed + 1 >= ${missed.untilGone} then ${missed.now}::timestamptz end
    from watch.portal_listings as portal
    where seen.feed_key = ${feedKey} and seen.gone_at is null and seen.rank > ${missed.aboveRank}
      and portal.listing_id = seen.listing_id and seen.first_seen_at <= ${missed.seenUntil}
      and seen.listing_id not in (select jsonb_array_elements_text(${jsonOf(db, missed.metCodes)}))
    returning portal.listing, seen.gone_at is not null as "isGone"`;
  const gone = rows.filter(({ isGone }) => isGone).map(({ listing }) => listing);
  await recordGone(
    db,
    gone.map(({ propertyCode }) => propertyCode),
    missed.now,
  );
  return gone;
}
