/** Measures what the public page shows. Guests read the stored result, so that their requests compute nothing. */
import {
  FEWEST_MEASURED,
  type Latency,
  MEASURED_SOURCES,
  type MeasuredFigures,
  type Stay,
} from "#core/figures/measured-figures.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

const DAYS = 30;
/** A zone with fewer homes could be traced to the person who searches there. */
const FEWEST_SHOWN = 5;
const ZONES_AT_MOST = 60;

/** Alerts that waited for quiet hours are not counted: their delay is the person's wish. Those of an outage are. */
export async function measureLatencies(db: Db, now: Date): Promise<Latency[]> {
  return await db<Latency[]>`
    select sources.source, count(seconds)::int as count,
      case when count(seconds) >= ${FEWEST_MEASURED} then
        round(percentile_cont(0.5) within group (order by seconds)::numeric, 1)::float8 end as p50_seconds,
      case when count(seconds) >= ${FEWEST_MEASURED} then
        round(percentile_cont(0.95) within group (order by seconds)::numeric, 1)::float8 end as p95_seconds
    from jsonb_array_elements_text(${jsonOf(db, MEASURED_SOURCES)}) with ordinality as sources (source, place)
    left join (
      select source, greatest(0, extract(epoch from sent_at - seen_at)::float8) as seconds from watch.alerts
      where created_at > ${since(now)} and created_at <= ${now}
        and seen_at is not null and sent_at is not null and held_at is null
    ) as sent on sent.source = sources.source
    group by sources.source, sources.place order by sources.place`;
}

/**
 * Homes that were announced as new, so that it is known when they appeared, in feeds that are still checked, so that their end
 * would be known too. Each counts for its zone and its town. A home is gone when all its adverts are.
 */
export async function measureStays(db: Db, now: Date): Promise<Omit<Stay, "place">[]> {
  return await db<Omit<Stay, "place">[]>`
    with adverts as (
      select portal.home_id, portal.place_id, portal.card ->> 'operation' as operation, min(seen.seen_at) as seen_at,
        portal.gone_at
      from watch.sightings as seen
      join watch.portal_listings as portal on portal.listing_id = seen.listing_id
      where seen.event_key = '' and seen.source <> 'mail' and seen.seen_at > ${since(now)} and seen.seen_at <= ${now}
        and portal.place_id is not null and portal.card ->> 'kind' = 'homes' and exists (
          select from watch.feed_listings as followed
          join watch.feeds on feeds.key = followed.feed_key and feeds.idle_since is null
          where followed.listing_id = portal.listing_id
        )
      group by portal.listing_id
    ), homes as (
      select distinct on (home_id) place_id, operation, min(seen_at) over home as seen_at,
        case when bool_and(gone_at is not null) over home then max(gone_at) over home end as gone_at
      from adverts window home as (partition by home_id) order by home_id, seen_at desc
    ), placed as (
      select homes.*, zone_id from homes cross join lateral (
        select homes.place_id as zone_id
        union select array_to_string((string_to_array(homes.place_id, '-'))[1:7], '-')
        where homes.place_id like '0-EU-ES-%'
      ) as zones where operation in ('sale', 'rent')
    ), counted as (
      select zone_id, operation,
        count(*) filter (where seen_at <= ${ago(now, 1)})::int as day_count,
        count(*) filter (where seen_at <= ${ago(now, 1)} and gone_at <= seen_at + interval '1 day')::int as day_gone,
        count(*) filter (where seen_at <= ${ago(now, 7)})::int as week_count,
        count(*) filter (where seen_at <= ${ago(now, 7)} and gone_at <= seen_at + interval '7 days')::int as week_gone
      from placed group by zone_id, operation
    )
    select zone_id as place_id, operation, day_count, week_count,
      case when day_count >= ${FEWEST_MEASURED} then round(100.0 * day_gone / day_count)::int end as gone_in_day_percent,
      case when week_count >= ${FEWEST_MEASURED} then round(100.0 * week_gone / week_count)::int end
        as gone_in_week_percent
    from counted where day_count >= ${FEWEST_SHOWN}
    order by day_count desc, zone_id, operation limit ${ZONES_AT_MOST}`;
}

export async function replaceMeasuredFigures(
  db: Db,
  figures: Omit<MeasuredFigures, "measured_at">,
  now: Date,
): Promise<void> {
  await db`
    insert into watch.measured_figures (measured_at, figures) values (${now}, ${jsonOf(db, figures)})
    on conflict (is_only) do update set measured_at = excluded.measured_at, figures = excluded.figures
    where measured_figures.measured_at <= excluded.measured_at`;
}

const ago = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000);
const since = (now: Date) => ago(now, DAYS);
