import type { Db } from "../connection/json-parameter.ts";
import type { Way } from "./travel-times.ts";

/** A way nobody has asked about yet, and where it leads to. */
export interface MissingWay extends Way {
  readonly placeLatitude: number;
  readonly placeLongitude: number;
}

/** Further away nobody walks or cycles every day. */
const DEGREES_AT_MOST = 0.3;

/** From the homes that people with places of their own found last; those to one place together. */
export async function findMissingWays(db: Db, limit: number): Promise<MissingWay[]> {
  return await db<MissingWay[]>`
    select place.id as "placeId", place.latitude as "placeLatitude", place.longitude as "placeLongitude",
      home.latitude, home.longitude
    from public.own_places as place
    cross join lateral (
      select distinct round((met.listing ->> 'latitude')::numeric, 4)::float8 as latitude,
        round((met.listing ->> 'longitude')::numeric, 4)::float8 as longitude
      from (
        select listing_id from public.listings where listings.user_id = place.user_id
        order by listings.created_at desc limit 200
      ) as recent
      join watch.portal_listings as met on met.listing_id = recent.listing_id
        and jsonb_typeof(met.listing -> 'latitude') = 'number' and jsonb_typeof(met.listing -> 'longitude') = 'number'
    ) as home
    where abs(home.latitude - place.latitude) < ${DEGREES_AT_MOST}
      and abs(home.longitude - place.longitude) < ${DEGREES_AT_MOST}
      and not exists (
        select from watch.travel_times as known
        where known.place_id = place.id and known.latitude = home.latitude and known.longitude = home.longitude
      )
    order by place.id
    limit ${limit}`;
}
