import { detailsOf } from "#core/alert/alert-listing.ts";
import type { HomeCard } from "#core/listing/home-card.ts";
import type { Listing } from "#core/listing/listing.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface PortalListing {
  readonly listing: Listing;
  readonly card: HomeCard;
  /** The card's warnings replace the stored ones. */
  readonly hasNewWarnings: boolean;
  readonly homeKey: string | null;
  readonly pricePerM2Eur: number | null;
  /** Its zone: a location id, or "name:" and the town. */
  readonly placeId?: string | null;
  /** All photos; undefined if the source gives none, though another may have. */
  readonly photos?: readonly string[] | undefined;
  /** Equal for equal descriptions; null if the text is too short. */
  readonly textKey?: string | null;
  /** Of its description; undefined: the stored ones are kept. */
  readonly words?: string | null | undefined;
  /** Equal while the facts that searches ask about are equal. */
  readonly factsKey: string;
  /** If it is unknown: when it was listed at the latest. */
  readonly listedBy: Date;
}

const PHOTOS_AT_MOST = 60;

/**
 * Stores listings in their current state, once for all feeds, and adds to the price history if the price changed. An unchanged
 * listing is written only every few hours, so that a check does not rewrite all that it reads.
 */
export async function recordListings(db: Db, listings: readonly PortalListing[], now: Date): Promise<void> {
  if (listings.length === 0) return;
  const rows = listings.map(({ listing, ...derived }) => ({
    listing_id: listing.propertyCode,
    listing,
    price_eur: listing.priceEur,
    home_key: derived.homeKey,
    price_per_m2_eur: derived.pricePerM2Eur,
    place_id: derived.placeId ?? null,
    card: derived.card,
    has_new_warnings: derived.hasNewWarnings,
    photos: derived.photos?.slice(0, PHOTOS_AT_MOST) ?? null,
    text_key: derived.textKey ?? null,
    words: derived.words ?? null,
    facts_key: derived.factsKey,
    listed_by: derived.listedBy,
  }));
  await db`
    with met as (
      select * from jsonb_to_recordset(${jsonOf(db, rows)}) as met (
        listing_id text, listing jsonb, card jsonb, has_new_warnings boolean, price_eur float8, home_key text,
        price_per_m2_eur float8, place_id text, photos jsonb, text_key text, words text, facts_key text,
        listed_by timestamptz
      )
    ), recorded as (
      insert into watch.portal_listings (
        listing_id, listing, card, price_eur, home_id, home_key, price_per_m2_eur, place_id, photos, text_key,
        words, facts_key, first_seen_at, last_seen_at, listed_by
      )
      select listing_id, listing, card, price_eur, listing_id, home_key, price_per_m2_eur, place_id,
        coalesce(photos, '[]'), text_key, words, facts_key, ${now}, ${now}, listed_by
      from met order by listing_id
      on conflict (listing_id) do update set
        listing = excluded.listing, price_eur = excluded.price_eur, home_key = excluded.home_key,
        price_per_m2_eur = excluded.price_per_m2_eur, place_id = excluded.place_id,
        card = excluded.card || case
          when (select met.has_new_warnings from met where met.listing_id = portal_listings.listing_id) then '{}'
          else jsonb_build_object('warnings', portal_listings.card -> 'warnings')
        end,
        photos = coalesce((select met.photos from met where met.listing_id = portal_listings.listing_id), portal_listings.photos),
        text_key = excluded.text_key,
        -- Not rewritten every few hours: a description hardly ever changes.
        words = coalesce(portal_listings.words, excluded.words),
        last_seen_at = excluded.last_seen_at, facts_key = excluded.facts_key,
        former_listing = case when ${isCorrected(db)} then portal_listings.listing else portal_listings.former_listing end,
        corrected_at = case when ${isCorrected(db)} then excluded.last_seen_at else portal_listings.corrected_at end,
        former_price_eur = case
          when excluded.price_eur < portal_listings.price_eur then portal_listings.price_eur else portal_listings.former_price_eur
        end,
        back_at = case when portal_listings.gone_at is null then portal_listings.back_at else excluded.last_seen_at end, gone_at = null
      where portal_listings.price_eur <> excluded.price_eur or portal_listings.last_seen_at < ${now}::timestamptz - interval '6 hours'
        or portal_listings.gone_at is not null or portal_listings.facts_key is distinct from excluded.facts_key
      returning listing_id, price_eur
    )
    insert into watch.prices (listing_id, seen_at, price_eur)
    select recorded.listing_id, ${now}, recorded.price_eur from recorded
    where recorded.price_eur is distinct from (
      select prices.price_eur from watch.prices where prices.listing_id = recorded.listing_id
      order by prices.seen_at desc limit 1
    )
    on conflict do nothing`;
}

function isCorrected(db: Db) {
  return db`portal_listings.facts_key <> excluded.facts_key`;
}

/** What any feed knew of a listing before this reading. */
export interface MarketListing {
  readonly listing: Listing;
  readonly factsKey: string | null;
  readonly listedBy: Date;
  readonly goneAt: Date | null;
  readonly formerListing: Listing | null;
}

export async function readMarketListings(
  db: Db,
  codes: readonly string[],
): Promise<Map<string, MarketListing>> {
  if (codes.length === 0) return new Map();
  const rows = await db<(MarketListing & { listingId: string })[]>`
    select listing_id as "listingId", listing, facts_key as "factsKey", coalesce(listed_by, first_seen_at) as "listedBy",
      gone_at as "goneAt", former_listing as "formerListing"
    from watch.portal_listings where listing_id in (select jsonb_array_elements_text(${jsonOf(db, codes)}))`;
  return new Map(rows.map(({ listingId, ...known }) => [listingId, known]));
}

export interface FormerAdvert {
  readonly listingId: string;
  readonly formerListingId: string;
  readonly formerPriceEur: number;
}

/** Two adverts of one home may differ by this share in price. */
const READVERT_PRICE_SHARE = 0.04;

/**
 * Links listings first stored since that time to the latest advert of the same home from before. Returns the former advert of
 * every given listing that has one, whenever it was linked.
 */
export async function linkReadverts(db: Db, codes: readonly string[], since: Date): Promise<FormerAdvert[]> {
  if (codes.length === 0) return [];
  await db`
    update watch.portal_listings as advert set
      home_id = former.home_id,
      former_price_eur = case when former.price_eur > advert.price_eur then former.price_eur end
    from (
      select distinct on (fresh.listing_id) fresh.listing_id, former.home_id, former.price_eur
      from watch.portal_listings as fresh
      join watch.portal_listings as former on former.home_key = fresh.home_key
        and former.listing_id <> fresh.listing_id and former.first_seen_at < ${since}
        and abs(former.price_eur - fresh.price_eur) <= ${READVERT_PRICE_SHARE} * former.price_eur
      where fresh.listing_id in (select jsonb_array_elements_text(${jsonOf(db, codes)}))
        and fresh.first_seen_at >= ${since}
      order by fresh.listing_id, former.first_seen_at desc
    ) as former
    where advert.listing_id = former.listing_id`;
  await settleHomes(db, codes);
  return await db<FormerAdvert[]>`
    select distinct on (advert.listing_id) advert.listing_id as "listingId",
      former.listing_id as "formerListingId", former.price_eur as "formerPriceEur"
    from watch.portal_listings as advert
    join watch.portal_listings as former on former.home_id = advert.home_id
      and former.listing_id <> advert.listing_id and former.first_seen_at < advert.first_seen_at
    where advert.listing_id in (select jsonb_array_elements_text(${jsonOf(db, codes)}))
      and advert.home_id <> advert.listing_id
    order by advert.listing_id, former.first_seen_at desc`;
}

/** Moves what people have of these listings to their home, if feeds know it by another listing: they had them from mails. */
async function settleHomes(db: Db, codes: readonly string[]): Promise<void> {
  await db`select watch.settle_homes(array(select jsonb_array_elements_text(${jsonOf(db, codes)})))`;
}

/** Fills missing details of listings that came by mail with a feed's data, without changing existing ones. */
export async function completeMailListings(db: Db, listings: readonly Listing[]): Promise<void> {
  if (listings.length === 0) return;
  const codes = listings.map(({ propertyCode }) => propertyCode);
  const rows = await db<{ listing_id: string }[]>`
    select distinct listing_id from watch.mail_listings
    where listing_id in (select jsonb_array_elements_text(${jsonOf(db, codes)}))`;
  if (rows.length === 0) return;
  const mailed = new Set(rows.map(({ listing_id }) => listing_id));
  const facts = listings
    .filter(({ propertyCode }) => mailed.has(propertyCode))
    .map((listing) => ({ listingId: listing.propertyCode, details: detailsOf(listing) }));
  await db`
    update public.listings set details = whole.details
    from jsonb_to_recordset(${jsonOf(db, facts)}) as facts ("listingId" text, details jsonb)
    join watch.mail_listings as mailed on mailed.listing_id = facts."listingId"
    join public.listings as find on find.user_id = mailed.user_id and find.listing_id = mailed.listing_id
    cross join lateral (select facts.details || jsonb_strip_nulls(find.details) as details) as whole
    where listings.user_id = find.user_id and listings.listing_id = find.listing_id and find.details <> whole.details`;
}

/**
 * Sets `gone_at` for those of these listings that no feed has any more. A listing that another check is writing is skipped to
 * avoid deadlock; housekeeping tries again (`recordAllGone`).
 */
export async function recordGone(db: Db, codes: readonly string[], now: Date): Promise<void> {
  if (codes.length === 0) return;
  await db`
    update watch.portal_listings as portal set gone_at = ${now}
    where portal.gone_at is null and ${isListedNowhere(db)} and portal.listing_id in (
      select listing_id from watch.portal_listings
      where listing_id in (select jsonb_array_elements_text(${jsonOf(db, codes)}))
      order by listing_id for no key update skip locked
    )`;
}

/** Sets `gone_at` for listings that two feeds lost at the same time, each while the other still had it. Returns their number. */
export async function recordAllGone(db: Db, now: Date): Promise<number> {
  const noted = await db`
    update watch.portal_listings as portal set gone_at = lost.at
    from (
      select listing_id, max(gone_at) as at from watch.feed_listings
      where gone_at > ${now}::timestamptz - interval '1 day' group by listing_id
    ) as lost
    where portal.listing_id = lost.listing_id and portal.gone_at is null and portal.last_seen_at <= lost.at
      and ${isListedNowhere(db)}`;
  return noted.count;
}

function isListedNowhere(db: Db) {
  return db`not exists (
    select from watch.feed_listings as other join watch.feeds on feeds.key = other.feed_key and feeds.idle_since is null
    where other.listing_id = portal.listing_id and other.gone_at is null
  )`;
}
