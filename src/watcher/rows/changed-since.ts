/** What is known of the listings of a feed that changed since a moment, whichever feed saw it. */
import type { Listing } from "#core/listing/listing.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface ListedChange {
  readonly listing: Listing;
  /** It was listed by then at the latest. */
  readonly listedBy: Date;
  /** When this feed first saw it. */
  readonly enteredAt: Date;
  readonly backAt: Date | null;
  readonly correctedAt: Date | null;
  readonly formerListing: Listing | null;
  /** The oldest first. */
  readonly prices: readonly { readonly atMs: number; readonly priceEur: number }[];
}

/** Newest first. */
export async function readChangedSince(db: Db, feedKey: string, since: Date): Promise<ListedChange[]> {
  return await db<ListedChange[]>`
    select portal.listing, coalesce(portal.listed_by, portal.first_seen_at) as "listedBy", seen.first_seen_at as "enteredAt",
      portal.back_at as "backAt", portal.corrected_at as "correctedAt", portal.former_listing as "formerListing",
      priced.prices
    from watch.feed_listings as seen
    join watch.portal_listings as portal on portal.listing_id = seen.listing_id
    cross join lateral (
      select coalesce(
          jsonb_agg(jsonb_build_object('atMs', extract(epoch from seen_at) * 1000, 'priceEur', price_eur) order by seen_at),
          '[]'
        ) as prices, max(seen_at) as last_at
      from watch.prices where prices.listing_id = seen.listing_id
    ) as priced
    where seen.feed_key = ${feedKey} and seen.gone_at is null and greatest(
      portal.listed_by, portal.back_at, portal.corrected_at, seen.first_seen_at, priced.last_at
    ) > ${since}
    order by seen.rank desc`;
}

/** Of these people and listings, those of which a person was told, as "person listing". */
export async function readTold(
  db: Db,
  userIds: readonly string[],
  codes: readonly string[],
): Promise<Set<string>> {
  if (codes.length === 0) return new Set();
  const rows = await db<{ pair: string }[]>`
    select told.user_id || ' ' || told.listing_id as pair
    from jsonb_array_elements_text(${jsonOf(db, userIds)}) as person (id)
    join watch.told on told.user_id = person.id::uuid
    where told.listing_id in (select jsonb_array_elements_text(${jsonOf(db, codes)}))`;
  return new Set(rows.map(({ pair }) => pair));
}

/**
 * Alerts that were given up because their search was paused or its chat was lost, wait again: those of the last day if the search
 * has gone on within a day, and what was said of gaps in any case.
 */
export async function reviveAlerts(
  db: Db,
  filterIds: readonly string[],
  { longIds, now }: { readonly longIds: ReadonlySet<string>; readonly now: Date },
): Promise<void> {
  await db`
    update watch.alerts set state = 'pending', not_before = ${now}, last_error = null, attempts = 0, failing_since = null
    from public.searches as saved
    where saved.id in (select jsonb_array_elements_text(${jsonOf(db, filterIds)})::uuid)
      and alerts.user_id = saved.user_id and alerts.chat_id::text = any (saved.receiver_ids)
      and alerts.state = 'undeliverable' and alerts.failure is null and alerts.sent_at is null
      and (
        (
          alerts.listing_id is not null and saved.id = any (alerts.search_ids)
          and alerts.created_at > ${now}::timestamptz - interval '1 day'
          and alerts.last_error is distinct from 'left out by a rule'
          and saved.id not in (select jsonb_array_elements_text(${jsonOf(db, [...longIds])})::uuid)
        )
        or (alerts.kind = 'gap' and saved.id = any (alerts.search_ids))
        or (alerts.kind = 'source-up' and (alerts.payload ->> 'mayHaveMissed')::boolean)
      )`;
}
