import type { Point } from "#core/geo/polyline.ts";
import type { Db } from "#platform/database/json-parameter.ts";

/** About five kilometres. */
const NEAR_DEGREES = 0.045;

/** The zone of the nearest listing that a source has seen; undefined if none is near. */
export async function findPlaceNear(db: Db, { latitude, longitude }: Point): Promise<string | undefined> {
  const [row] = await db<{ placeId: string }[]>`
    with located as (
      select place_id, (listing ->> 'latitude')::float8 as latitude, (listing ->> 'longitude')::float8 as longitude
      from watch.portal_listings
      where place_id is not null and jsonb_typeof(listing -> 'latitude') = 'number'
        and jsonb_typeof(listing -> 'longitude') = 'number'
    )
    select place_id as "placeId" from located
    where abs(latitude - ${latitude}) < ${NEAR_DEGREES} and abs(longitude - ${longitude}) < 2 * ${NEAR_DEGREES}
    order by (latitude - ${latitude}) ^ 2 + ((longitude - ${longitude}) * cosd(${latitude})) ^ 2 limit 1`;
  return row?.placeId;
}
