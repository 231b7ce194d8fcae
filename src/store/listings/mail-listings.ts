/** Listings that a person received by mail: what is known about them, their rows and their alerts. */
import type { OwnPlace } from "#core/finds/find.ts";
import type { Listing } from "#core/listing/listing.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { foldedUntil } from "./found-events.ts";
import { mergeSearchIds } from "./merge-search-ids.ts";

export interface MailPerson {
  /** Mails sent before this time are a backlog. */
  readonly addressSince: Date;
  readonly isBanned: boolean;
  /** The first one first. */
  readonly searches: readonly MailSearch[];
  readonly places: readonly OwnPlace[];
}

export interface MailSearch {
  readonly id: string;
  readonly filterUrl: string;
  readonly isPaused: boolean;
  readonly rules: unknown;
}

/** Processes one mail of a person at a time. */
export async function lockMailPerson(db: Db, userId: string, now: Date): Promise<MailPerson> {
  await db`select pg_advisory_xact_lock(hashtextextended('mail of ' || ${userId}::text, 0))`;
  const [row] = await db<[MailPerson]>`
    select coalesce(address.created_at, people.created_at, 'epoch') as "addressSince",
      coalesce(people.banned_until > ${now}, false) as "isBanned",
      coalesce((
        select jsonb_agg(
          jsonb_build_object(
            'id', id, 'filterUrl', filter_url, 'isPaused', is_paused, 'rules', rules
          ) order by is_first desc, created_at, id
        )
        from public.searches where user_id = people.id
      ), '[]') as searches,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'latitude', latitude, 'longitude', longitude))
        from public.own_places where user_id = people.id
      ), '[]') as places
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
    select asked.listing_id as "listingId", held.listing_id is not null as "hasRow",
      case jsonb_typeof(held.details -> 'price') when 'number' then (held.details ->> 'price')::float8 end as "rowPriceEur",
      to_jsonb(held.search_ids) as "rowSearchIds",
      mailed.price_eur as "mailedPriceEur", mailed.sent_at as "mailedAt",
      met.listing, met.last_seen_at as "lastSeenAt",
      (select max(seen_at) from watch.prices where prices.listing_id = met.listing_id) as "pricedAt",
      exists (
        select from public.marks
        where marks.user_id = ${userId} and marks.mark = 'hidden' and (
          marks.listing_id = asked.listing_id
          or marks.listing_id in (select listing_id from watch.portal_listings as advert where advert.home_id = met.home_id)
        )
      ) as "isHidden",
      exists (
        select from public.marks
        where marks.user_id = ${userId} and marks.mark = 'kept' and marks.listing_id = asked.listing_id
      ) or exists (
        select from public.left_outs as before
        where before.user_id = ${userId} and before.listing_id = asked.listing_id and before.returned_at is not null
      ) as "isWanted",
      (
        select coalesce(jsonb_agg(before.search_id), '[]') from public.left_outs as before
        where before.user_id = ${userId} and before.listing_id = asked.listing_id and before.returned_at is null
      ) as "leftOutIds"
    from jsonb_array_elements_text(${jsonOf(db, listingIds)}) as asked (listing_id)
    left join public.listings as held on held.user_id = ${userId} and held.listing_id = asked.listing_id
    left join watch.mail_listings as mailed on mailed.user_id = ${userId} and mailed.listing_id = asked.listing_id
    left join watch.portal_listings as met on met.listing_id = asked.listing_id`;
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

/** Adds rows that the person or a search did not have, and returns which those are. */
export async function addMailListings(
  db: Db,
  userId: string,
  listings: readonly MailFind[],
  now: Date,
): Promise<{ found: Set<string>; newCount: number }> {
  if (listings.length === 0) return { found: new Set(), newCount: 0 };
  const rows = await db<{ listing_id: string; is_new: boolean }[]>`
    insert into public.listings as held (listing_id, user_id, created_at, details, search_ids)
    select "listingId", ${userId}, ${now}, details, array(select jsonb_array_elements_text("searchIds")::uuid)
    from jsonb_to_recordset(${jsonOf(db, listings)}) as found ("listingId" text, details jsonb, "searchIds" jsonb)
    order by "listingId"
    on conflict (user_id, listing_id) do update set
      search_ids = watch.joined_ids(held.search_ids, excluded.search_ids)
    where not (held.search_ids @> excluded.search_ids)
    returning listing_id, xmax = 0 as is_new`;
  return {
    found: new Set(rows.map(({ listing_id }) => listing_id)),
    newCount: rows.filter(({ is_new }) => is_new).length,
  };
}

interface MailFind {
  readonly listingId: string;
  readonly details: unknown;
  readonly searchIds: readonly string[];
}

export interface MailAlert {
  readonly kind: "new" | "price-drop";
  readonly listingId: string;
  readonly eventKey: string;
  readonly payload: unknown;
  readonly searchIds: readonly string[];
  /** Those of the searches whose rules say to alert without a sound. */
  readonly silentIds: readonly string[];
  /** About a home that the person kept or brought back: not held for a summary. */
  readonly isWanted: boolean;
}

/**
 * Adds alerts of one kind for the connected chats of their searches. Held alerts are sent as one message. Returns the listings with new alerts. New listings are written in this order, price cuts in that of feeds.
 */
export async function addMailAlerts(
  db: Db,
  userId: string,
  alerts: readonly MailAlert[],
  { seenAt, now, isHeld }: { seenAt: Date; now: Date; isHeld: boolean },
): Promise<Set<string>> {
  if (alerts.length === 0) return new Set();
  const once = alerts.some(({ kind }) => kind === "new")
    ? db`(user_id, chat_id, listing_id) where kind in ('new', 'readvertised')`
    : db`on constraint alert_exists_once`;
  const rows = await db<{ listing_id: string; is_added: boolean }[]>`
    insert into watch.alerts as held (
      user_id, chat_id, kind, listing_id, event_key, payload, source, seen_at, held_at, not_before, created_at, search_ids,
      is_silent
    )
    select ${userId}, chats.chat_id, alert.kind, alert."listingId", alert."eventKey", alert.payload, 'mail', ${seenAt},
      case when ${isHeld} or named.is_folded then ${now}::timestamptz end,
      case when named.is_folded then ${foldedUntil(db, db`${userId}`, now)} else ${now} end, ${now}, named.ids, named.is_silent
    from jsonb_to_recordset(${jsonOf(
      db,
      alerts.map((alert, n) => ({ ...alert, n })),
    )}) as alert (n int, kind text, "listingId" text, "eventKey" text, payload jsonb, "searchIds" jsonb, "silentIds" jsonb, "isWanted" boolean)
    join public.chats on chats.user_id = ${userId} and chats.state = 'connected'
    join lateral (
      select array_agg(id order by id) as ids, bool_and(alert."silentIds" ? mine.id::text) as is_silent,
        bool_and(mine.is_folded) and not alert."isWanted" as is_folded
      from public.searches as mine
      where mine.user_id = ${userId} and alert."searchIds" ? mine.id::text and chats.chat_id::text = any (mine.receiver_ids)
    ) as named on named.ids is not null
    order by case alert.kind when 'price-drop' then alert."listingId" end, alert.n, chats.chat_id
    on conflict ${once} do update set ${mergeSearchIds(db, now)}
    returning listing_id, xmax = 0 as is_added`;
  return new Set(rows.filter(({ is_added }) => is_added).map(({ listing_id }) => listing_id));
}

/** How many listings from mails older than the address were announced. */
export async function countBacklogAlerts(db: Db, userId: string, since: Date): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from watch.mail_listings where user_id = ${userId} and backlog_alerted_at >= ${since}`;
  return row.count;
}

export interface SaidByMail {
  readonly listingId: string;
  readonly priceEur: number;
  /** What a card shows: an AlertListing with its zone. */
  readonly listing: object;
  /** Announced now, from a mail older than the address. */
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
    insert into watch.mail_listings as held (user_id, listing_id, price_eur, listing, sent_at, backlog_alerted_at)
    select ${userId}, "listingId", "priceEur", listing, ${sentAt}, case when "isBacklogAlerted" then ${now}::timestamptz end
    from jsonb_to_recordset(${jsonOf(db, listings)}) as said (
      "listingId" text, "priceEur" float8, listing jsonb, "isBacklogAlerted" boolean
    )
    order by "listingId"
    on conflict (user_id, listing_id) do update set
      price_eur = case when excluded.sent_at >= held.sent_at then excluded.price_eur else held.price_eur end,
      listing = case when excluded.sent_at >= held.sent_at then excluded.listing else held.listing end,
      sent_at = greatest(held.sent_at, excluded.sent_at),
      backlog_alerted_at = coalesce(held.backlog_alerted_at, excluded.backlog_alerted_at)`;
}

/** Fills missing details of listings that came by mail with a feed's data, without changing existing ones. */
export async function completeMailListings(
  db: Db,
  listings: readonly Listing[],
  detailsOf: (listing: Listing) => unknown,
): Promise<void> {
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
    join public.listings as held on held.user_id = mailed.user_id and held.listing_id = mailed.listing_id
    cross join lateral (select facts.details || jsonb_strip_nulls(held.details) as details) as whole
    where listings.user_id = held.user_id and listings.listing_id = held.listing_id and held.details <> whole.details`;
}
