/** Listings that a person received by mail: what is known about them, and what mails said. */
import type { HomeCard } from "#core/listing/home-card.ts";
import type { Listing } from "#core/listing/listing.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface MailPerson {
  /** Mails sent before this time are a backlog. */
  readonly addressSince: Date;
  readonly isBanned: boolean;
  /** The first one first. */
  readonly searches: readonly MailSearch[];
}

export interface MailSearch {
  readonly id: string;
  readonly filterUrl: string;
  readonly isPaused: boolean;
}

/** Processes one mail of a person at a time. */
export async function lockMailPerson(db: Db, userId: string, now: Date): Promise<MailPerson> {
  await db`select pg_advisory_xact_lock(hashtextextended('mail of ' || ${userId}::text, 0))`;
  const [row] = await db<[MailPerson]>`
    select coalesce(address.created_at, people.created_at, 'epoch') as "addressSince",
      coalesce(people.banned_until > ${now}, false) as "isBanned",
      coalesce((
        select jsonb_agg(
          jsonb_build_object('id', id, 'filterUrl', filter_url, 'isPaused', is_paused) order by is_first desc, created_at, id
        )
        from public.searches where user_id = people.id
      ), '[]') as searches
    from auth.users as people
    left join public.mail_addresses as address on address.user_id = people.id
    where people.id = ${userId}`;
  return row;
}

export interface MailedListing {
  readonly listingId: string;
  /** The price in the person's row; null if there is no row, or no price in it. */
  readonly row: { readonly priceEur: number | null; readonly searchIds: readonly string[] } | null;
  readonly mailed: { readonly priceEur: number; readonly sentAt: Date } | null;
  /** As a feed last saw it, for anyone. */
  readonly met: {
    readonly listing: Listing;
    readonly pricedAt: Date;
    readonly lastSeenAt: Date;
  } | null;
  /** The person hid this home, by this or another advert. */
  readonly isHidden: boolean;
  /** The person kept it, or brought it back after rules had left it out. */
  readonly isWanted: boolean;
  /** The searches whose rules have left it out. */
  readonly leftOutIds: readonly string[];
}

interface KnownRow {
  readonly listingId: string;
  readonly hasRow: boolean;
  readonly rowPriceEur: number | null;
  readonly rowSearchIds: string[] | null;
  readonly mailedPriceEur: number | null;
  readonly mailedAt: Date | null;
  readonly listing: Listing | null;
  readonly pricedAt: Date | null;
  readonly lastSeenAt: Date | null;
  readonly isHidden: boolean;
  readonly isWanted: boolean;
  readonly leftOutIds: string[];
}

export async function readKnownListings(
  db: Db,
  userId: string,
  listingIds: readonly string[],
): Promise<MailedListing[]> {
  const rows = await db<KnownRow[]>`
    select listed.listing_id as "listingId", listings.listing_id is not null as "hasRow",
      case jsonb_typeof(listings.details -> 'price') when 'number' then (listings.details ->> 'price')::float8 end as "rowPriceEur",
      to_jsonb(listings.search_ids) as "rowSearchIds",
      mailed.price_eur as "mailedPriceEur", mailed.sent_at as "mailedAt",
      portal.listing, portal.last_seen_at as "lastSeenAt",
      (select max(seen_at) from watch.prices where prices.listing_id = portal.listing_id) as "pricedAt",
      exists (
        select from public.marks where marks.user_id = ${userId} and marks.mark = 'hidden' and marks.home_id = home.id
      ) as "isHidden",
      exists (
        select from public.marks where marks.user_id = ${userId} and marks.mark = 'kept' and marks.home_id = home.id
      ) or exists (
        select from public.left_outs as before
        where before.user_id = ${userId} and before.listing_id = listed.listing_id and before.returned_at is not null
      ) as "isWanted",
      (
        select coalesce(jsonb_agg(before.search_id), '[]') from public.left_outs as before
        where before.user_id = ${userId} and before.listing_id = listed.listing_id and before.returned_at is null
      ) as "leftOutIds"
    from jsonb_array_elements_text(${jsonOf(db, listingIds)}) as listed (listing_id)
    left join public.listings on listings.user_id = ${userId} and listings.listing_id = listed.listing_id
    left join watch.mail_listings as mailed on mailed.user_id = ${userId} and mailed.listing_id = listed.listing_id
    left join watch.portal_listings as portal on portal.listing_id = listed.listing_id
    cross join lateral (select watch.home_meant(${userId}, listed.listing_id) as id) as home`;
  return rows.map(({ listingId, isHidden, isWanted, leftOutIds, ...row }) => ({
    ...{ listingId, isHidden, isWanted, leftOutIds },
    row: row.hasRow ? { priceEur: row.rowPriceEur, searchIds: row.rowSearchIds ?? [] } : null,
    mailed:
      row.mailedPriceEur === null || row.mailedAt === null
        ? null
        : { priceEur: row.mailedPriceEur, sentAt: row.mailedAt },
    met:
      row.listing === null || row.lastSeenAt === null
        ? null
        : { listing: row.listing, lastSeenAt: row.lastSeenAt, pricedAt: row.pricedAt ?? row.lastSeenAt },
  }));
}

/** The person's mails that came within ten minutes of this one. */
export async function countMailsAround(db: Db, userId: string, receivedAt: Date): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from watch.mails
    where user_id = ${userId} and received_at between ${receivedAt}::timestamptz - interval '10 minutes'
      and ${receivedAt}::timestamptz + interval '10 minutes'`;
  return row.count;
}

/** How many listings from mails of a backlog were announced. */
export async function countBacklogAlerts(db: Db, userId: string, since: Date): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from watch.mail_listings where user_id = ${userId} and backlog_alerted_at >= ${since}`;
  return row.count;
}

export interface SaidByMail {
  readonly listingId: string;
  readonly priceEur: number;
  readonly formerPriceEur: number | null;
  /** Its zone: a location id, or "name:" and the town. */
  readonly placeId: string | null;
  readonly card: HomeCard;
  /** What this mail was decided to mean for the person, and at which price; null if nothing. */
  readonly decided: "new" | "cut" | "none";
  readonly decidedPriceEur: number | null;
  /** Announced now, from a mail of a backlog. */
  readonly isBacklogAlerted: boolean;
}

/** Records what a mail said about listings of the person. An older mail does not overwrite a newer one. */
export async function noteMailListings(
  db: Db,
  userId: string,
  listings: readonly SaidByMail[],
  { sentAt, now }: { sentAt: Date; now: Date },
): Promise<void> {
  if (listings.length === 0) return;
  await db`
    insert into watch.mail_listings (
      user_id, listing_id, price_eur, former_price_eur, place_id, card, sent_at, decided,
      decided_price_eur, backlog_alerted_at
    )
    select ${userId}, "listingId", "priceEur", "formerPriceEur", "placeId", card, ${sentAt}, decided,
      "decidedPriceEur",
      case when "isBacklogAlerted" then ${now}::timestamptz end
    from jsonb_to_recordset(${jsonOf(db, listings)}) as said (
      "listingId" text, "priceEur" float8, "formerPriceEur" float8, "placeId" text, card jsonb, decided text,
      "decidedPriceEur" float8, "isBacklogAlerted" boolean
    )
    order by "listingId"
    on conflict (user_id, listing_id) do update set
      price_eur = case when excluded.sent_at >= mail_listings.sent_at then excluded.price_eur else mail_listings.price_eur end,
      former_price_eur =
        case when excluded.sent_at >= mail_listings.sent_at then excluded.former_price_eur else mail_listings.former_price_eur end,
      place_id = case when excluded.sent_at >= mail_listings.sent_at then excluded.place_id else mail_listings.place_id end,
      card = case when excluded.sent_at >= mail_listings.sent_at then excluded.card else mail_listings.card end,
      sent_at = greatest(mail_listings.sent_at, excluded.sent_at),
      decided = case excluded.decided when 'none' then mail_listings.decided else excluded.decided end,
      decided_price_eur = coalesce(excluded.decided_price_eur, mail_listings.decided_price_eur),
      backlog_alerted_at = coalesce(mail_listings.backlog_alerted_at, excluded.backlog_alerted_at)`;
}
