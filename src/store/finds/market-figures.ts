/**
 * Asking prices in each zone, computed from the listings of feeds and mails of the last 90 days. The market page, the map, an
 * opened home and alerts show these figures and no others.
 */
import type { Market } from "#core/listing/market.ts";
import type { Operation } from "#core/search/search.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

const DAYS = 90;
/** Fewer prices are not representative, and could be traced to a person. */
const FEWEST = 5;
/** A home's page draws them as single lines. */
const PRICES_AT_MOST = 200;

export interface MarketRow {
  readonly place_id: string;
  readonly place_name: string | null;
  readonly operation: Operation;
  readonly size_band: string;
}

/** One process at a time; false if another one is computing. */
export async function lockMarketFigures(db: Db): Promise<boolean> {
  await db`set local statement_timeout = '60s'`;
  const [row] = await db<[{ locked: boolean }]>`
    select pg_try_advisory_xact_lock(hashtextextended('market figures', 0)) as locked`;
  return row.locked;
}

/** Marks the towns of these zones, so that their figures are computed again soon. */
export async function noteChangedZones(db: Db, zoneIds: readonly (string | null)[]): Promise<void> {
  const known = zoneIds.filter((zoneId) => zoneId !== null);
  if (known.length === 0) return;
  await db`
    insert into watch.changed_towns (town)
    select distinct ${townOf(db, "zone_id")} from jsonb_array_elements_text(${jsonOf(db, known)}) as zone_id`;
}

export async function hasChangedTowns(db: Db): Promise<boolean> {
  const [row] = await db<[{ isThere: boolean }]>`
    select exists (select from watch.changed_towns) as "isThere"`;
  return row.isThere;
}

/** The marked towns, which are no longer marked if the transaction commits. */
export async function takeChangedTowns(db: Db): Promise<string[]> {
  const rows = await db<{ town: string }[]>`
    with taken as (delete from watch.changed_towns returning town) select distinct town from taken`;
  return rows.map(({ town }) => town);
}

/** By `zoneKey`: the figures of these zones for all sizes. */
export async function readMarkets(db: Db, zoneIds: readonly string[]): Promise<Map<string, Market>> {
  if (zoneIds.length === 0) return new Map();
  const rows = await db<(Market & { zoneId: string; operation: Operation })[]>`
    select place_id as "zoneId", operation, seen_count as samples, median_per_m2_eur as "medianPerM2Eur",
      place_name as place
    from public.market_figures
    where size_band = 'all' and place_id in (select jsonb_array_elements_text(${jsonOf(db, zoneIds)}))`;
  return new Map(rows.map(({ zoneId, operation, ...market }) => [zoneKey(zoneId, operation), market]));
}

export const zoneKey = (zoneId: string, operation: Operation) => `${zoneId} ${operation}`;

/**
 * Counts homes, not adverts: each by its most recently seen advert. Mails lack sizes, days and price cuts, so they count only for
 * the zone as a whole. Each home counts for its zone, the district and the town. A zone's name is taken from its listings, that
 * of an enclosing place from the catalogue. With `towns`, only their zones.
 */
export async function countMarketFigures(db: Db, now: Date, towns?: readonly string[]): Promise<MarketRow[]> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  return await db<MarketRow[]>`
    with ${seenHomes(db, { since, towns })}, zones as (
      select distinct place_id, string_to_array(place_id, '-') as parts from seen
    ), around as (
      -- The portal's ids have 7 parts for a town, 8 for a district, 9 for a neighbourhood.
      select place_id as zone_id, place_id from zones
      union
      select place_id, array_to_string(parts[1:outer_parts], '-')
      from zones cross join unnest('{7,8}'::int[]) as outer_parts
      where place_id like '0-EU-ES-%' and cardinality(parts) > outer_parts
    ), figures as (
      select around.place_id,
      mode() within group (order by place_name) filter (where around.place_id = zone_id) as place_name, operation, size_band,
      count(*)::int as seen_count,
      percentile_cont(0.5) within group (order by price_per_m2_eur) as median_per_m2_eur,
      percentile_cont(0.25) within group (order by price_per_m2_eur) as low_per_m2_eur,
      percentile_cont(0.75) within group (order by price_per_m2_eur) as high_per_m2_eur,
      case when count(days) >= ${FEWEST} then
        round((percentile_cont(0.5) within group (order by days))::numeric, 2)::float8
      end as median_days,
      count(days)::int as gone_count,
      coalesce(round(100.0 * count(*) filter (where was_cut) / nullif(count(was_cut), 0)), 0)::int as cut_percent,
      case when size_band = 'all' then array_agg(price_per_m2_eur order by price_per_m2_eur) end as all_prices
      from seen join around on around.zone_id = seen.place_id
      group by around.place_id, operation, size_band having count(*) >= ${FEWEST}
    )
    select place_id, place_name, operation, size_band, seen_count, median_per_m2_eur, low_per_m2_eur, high_per_m2_eur,
      median_days, gone_count, cut_percent, array(
        select price from unnest(all_prices) with ordinality as sorted (price, place)
        where seen_count <= ${PRICES_AT_MOST}
          or place * ${PRICES_AT_MOST} / seen_count > (place - 1) * ${PRICES_AT_MOST} / seen_count
        order by place
      ) as prices_per_m2_eur
    from figures`;
}

/** Each home by its most recently seen advert, for all sizes and for its own. Mails say no size. */
function seenHomes(db: Db, { since, towns }: { since: Date; towns: readonly string[] | undefined }) {
  const isAsked = inTowns(db, towns);
  return db`
    adverts as materialized (
      select home_id, place_id, price_per_m2_eur, first_seen_at, last_seen_at, gone_at,
        former_price_eur is not null as is_cut, card ->> 'operation' as operation,
        (card ->> 'areaM2')::float8 as area_m2,
        coalesce(card ->> 'neighborhood', card ->> 'district', card ->> 'municipality') as place_name
      from watch.portal_listings
      where last_seen_at >= ${since} and place_id is not null and price_per_m2_eur > 0 and card ->> 'kind' = 'homes'
        and ${isAsked}
    ), homes as (
      select distinct on (home_id) *,
        extract(epoch from
          case when bool_and(gone_at is not null) over home then max(gone_at) over home end
          - min(first_seen_at) over home
        ) / 86400 as days,
        bool_or(is_cut) over home as was_cut
      from adverts window home as (partition by home_id)
      order by home_id, last_seen_at desc
    ), seen as (
      select place_id, place_name, operation, price_per_m2_eur, days, was_cut, bands.size_band
      from homes cross join lateral (
        values ('all'), (
          case when area_m2 < 50 then 'under-50' when area_m2 < 80 then '50-79' when area_m2 < 120 then '80-119'
            when area_m2 >= 120 then '120-up' end
        )
      ) as bands (size_band)
      where bands.size_band is not null and operation in ('sale', 'rent')
      union all
      select place_id, place_name, operation, price_per_m2_eur, null, null, 'all'
      from watch.mail_figures as mailed
      where last_seen_at >= ${since} and price_per_m2_eur > 0 and ${isAsked}
        and not exists (select from watch.portal_listings as portal where portal.listing_id = mailed.listing_id)
    )`;
}

/** With `towns`, only the figures of their zones. */
export async function replaceMarketFigures(
  db: Db,
  figures: readonly MarketRow[],
  towns?: readonly string[],
): Promise<void> {
  await db`delete from public.market_figures where ${inTowns(db, towns)}`;
  await db`
    insert into public.market_figures
    select figures.* from jsonb_populate_recordset(null::public.market_figures, ${jsonOf(db, figures)}) as figures`;
}

function inTowns(db: Db, towns: readonly string[] | undefined) {
  if (towns === undefined) return db`true`;
  return db`${townOf(db, "place_id")} in (select jsonb_array_elements_text(${jsonOf(db, towns)}))`;
}

/** The id of a zone begins with that of its town. The indexes portal_listings_of_a_town and mail_figures_of_a_town use the same expression. */
function townOf(db: Db, zoneId: "zone_id" | "place_id") {
  return db`left(${db(zoneId)}, 21)`;
}
