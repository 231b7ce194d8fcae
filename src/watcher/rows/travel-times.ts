/** Travel times from found homes to people's saved places, and the requests that fetching them used. */
import type { Sql } from "postgres";
import type { RoutingUse } from "#core/finds/routing-share.ts";
import { WAYS_AT_ONCE } from "#core/ports/routes.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

/** A route from a home (coordinates rounded to four digits) to a saved place, with the place's coordinates at that time. */
interface Way {
  readonly placeId: string;
  readonly placeLatitude: number;
  readonly placeLongitude: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** A route whose travel times are not known yet. */
export interface MissingWay extends Way {
  readonly userId: string;
}

/** Nobody walks or cycles further every day. */
const DEGREES_AT_MOST = 0.3;

/**
 * Routes from the homes that people with saved places found last, grouped by place. People who used the fewest requests come
 * first. Leaves out people at their limit, and places that were moved after `restedSince`.
 */
export async function findMissingWays(
  db: Db,
  { places, limits, now, restedSince }: { places: number; limits: RoutingUse; now: Date; restedSince: Date },
): Promise<MissingWay[]> {
  return await db<MissingWay[]>`
    with used as (
      select user_id, sum(requests) as in_day,
        coalesce(sum(requests) filter (where hour = date_trunc('hour', ${now}::timestamptz)), 0) as in_hour
      from watch.routing_requests where user_id is not null and hour > ${now}::timestamptz - interval '1 day'
      group by user_id
    )
    select place.id as "placeId", place.latitude as "placeLatitude", place.longitude as "placeLongitude",
      place.user_id as "userId", home.latitude, home.longitude
    from (
      select own_places.*, coalesce(in_day, 0) as in_day
      from public.own_places
      left join used on used.user_id = own_places.user_id
      left join watch.moved_places as moved on moved.place_id = own_places.id
      where coalesce(in_day, 0) <= ${limits.personInDay} and coalesce(in_hour, 0) <= ${limits.personInHour}
        and coalesce(moved_at <= ${restedSince}, true)
      order by in_day, own_places.user_id, own_places.id
    ) as place
    cross join lateral (
      select distinct round((portal.card ->> 'latitude')::numeric, 4)::float8 as latitude,
        round((portal.card ->> 'longitude')::numeric, 4)::float8 as longitude
      from (
        select listing_id from public.listings where listings.user_id = place.user_id
        order by listings.created_at desc limit 200
      ) as recent
      join watch.portal_listings as portal on portal.listing_id = recent.listing_id
        and jsonb_typeof(portal.card -> 'latitude') = 'number' and jsonb_typeof(portal.card -> 'longitude') = 'number'
      where abs((portal.card ->> 'latitude')::float8 - place.latitude) < ${DEGREES_AT_MOST}
        and abs((portal.card ->> 'longitude')::float8 - place.longitude) < ${DEGREES_AT_MOST}
        and not exists (
          select from watch.travel_times as known
          where known.place_id = place.id
            and known.latitude = round((portal.card ->> 'latitude')::numeric, 4)::float8
            and known.longitude = round((portal.card ->> 'longitude')::numeric, 4)::float8
        )
      limit ${WAYS_AT_ONCE}
    ) as home
    order by place.in_day, place.user_id, place.id
    limit ${places * WAYS_AT_ONCE}`;
}

/** Null: the server knows no route. */
interface TravelTime extends Way {
  readonly footMinutes: number | null;
  readonly bicycleMinutes: number | null;
}

/** Skips places that were deleted or moved meanwhile. */
export async function recordTravelTimes(db: Db, times: readonly TravelTime[], now: Date): Promise<void> {
  if (times.length === 0) return;
  await db`
    insert into watch.travel_times (place_id, latitude, longitude, foot_minutes, bicycle_minutes, asked_at)
    select distinct on (place.id, rounded.lat, rounded.lng) place.id, rounded.lat, rounded.lng, "footMinutes", "bicycleMinutes", ${now}
    from jsonb_to_recordset(${jsonOf(db, times)}) as answer (
      "placeId" uuid, "placeLatitude" float8, "placeLongitude" float8, latitude numeric, longitude numeric, "footMinutes" int, "bicycleMinutes" int
    )
    cross join lateral (select round(latitude, 4)::float8 as lat, round(longitude, 4)::float8 as lng) as rounded
    join public.own_places as place
      on place.id = "placeId" and (place.latitude, place.longitude) = ("placeLatitude", "placeLongitude")
    order by place.id, rounded.lat, rounded.lng
    on conflict (place_id, latitude, longitude) do update set
      foot_minutes = excluded.foot_minutes, bicycle_minutes = excluded.bicycle_minutes, asked_at = excluded.asked_at`;
}

/** Counts requests of a person, if `isAllowed` after what was used. All processes share the counts. */
export function takeRoutingRequests(
  sql: Sql,
  { userId, requests, now }: { userId: string; requests: number; now: Date },
  isAllowed: (use: RoutingUse) => boolean,
): Promise<boolean> {
  return inTransaction(sql, async (db) => {
    await db`select pg_advisory_xact_lock(hashtextextended('routing requests', 0))`;
    const [use] = await db<RoutingUse[]>`
      select
        coalesce(sum(requests) filter (where user_id = ${userId} and hour = date_trunc('hour', ${now}::timestamptz)), 0)::int
          as "personInHour",
        coalesce(sum(requests) filter (where user_id = ${userId}), 0)::int as "personInDay",
        coalesce(sum(requests) filter (where user_id is null), 0)::int as "allInDay"
      from watch.routing_requests where hour > ${now}::timestamptz - interval '1 day'`;
    if (!use || !isAllowed(use)) return false;
    // A deleted account has no row, but its requests stay in the total.
    await db`
      insert into watch.routing_requests (user_id, hour, requests)
      select person, date_trunc('hour', ${now}::timestamptz), ${requests}
      from (select id from auth.users where id = ${userId} union all select null) as counted (person)
      on conflict (user_id, hour) do update set requests = routing_requests.requests + excluded.requests`;
    return true;
  });
}
