import type { RoutingUse } from "#core/finds/routing-share.ts";
import { WAYS_AT_ONCE } from "#core/ports/routes.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { Way } from "./travel-times.ts";

/** A way nobody has asked about yet. */
export interface MissingWay extends Way {
  readonly userId: string;
}

/** Further away nobody walks or cycles every day. */
const DEGREES_AT_MOST = 0.3;

/**
 * From the homes that people with places of their own found last; those to one place together. People who used least
 * come first, people at their limit not at all, nor places that were moved after `restedSince`.
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
      select distinct round((met.listing ->> 'latitude')::numeric, 4)::float8 as latitude,
        round((met.listing ->> 'longitude')::numeric, 4)::float8 as longitude
      from (
        select listing_id from public.listings where listings.user_id = place.user_id
        order by listings.created_at desc limit 200
      ) as recent
      join watch.portal_listings as met on met.listing_id = recent.listing_id
        and jsonb_typeof(met.listing -> 'latitude') = 'number' and jsonb_typeof(met.listing -> 'longitude') = 'number'
      where abs((met.listing ->> 'latitude')::float8 - place.latitude) < ${DEGREES_AT_MOST}
        and abs((met.listing ->> 'longitude')::float8 - place.longitude) < ${DEGREES_AT_MOST}
        and not exists (
          select from watch.travel_times as known
          where known.place_id = place.id
            and known.latitude = round((met.listing ->> 'latitude')::numeric, 4)::float8
            and known.longitude = round((met.listing ->> 'longitude')::numeric, 4)::float8
        )
      limit ${WAYS_AT_ONCE}
    ) as home
    order by place.in_day, place.user_id, place.id
    limit ${places * WAYS_AT_ONCE}`;
}
