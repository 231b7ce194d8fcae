import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

/** From a home, at a point rounded to four digits, to a place of somebody's own, and where that was. */
export interface Way {
  readonly placeId: string;
  readonly placeLatitude: number;
  readonly placeLongitude: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** Null: there is no way that the server knows of. */
interface TravelTime extends Way {
  readonly footMinutes: number | null;
  readonly bicycleMinutes: number | null;
}

/** Nothing is kept of a place that was deleted or moved meanwhile. */
export async function recordTravelTimes(db: Db, times: readonly TravelTime[], now: Date): Promise<void> {
  if (times.length === 0) return;
  await db`
    insert into watch.travel_times (place_id, latitude, longitude, foot_minutes, bicycle_minutes, asked_at)
    select distinct on (place.id, said.lat, said.lng) place.id, said.lat, said.lng, "footMinutes", "bicycleMinutes", ${now}
    from jsonb_to_recordset(${jsonOf(db, times)}) as told (
      "placeId" uuid, "placeLatitude" float8, "placeLongitude" float8, latitude numeric, longitude numeric, "footMinutes" int, "bicycleMinutes" int
    )
    cross join lateral (select round(latitude, 4)::float8 as lat, round(longitude, 4)::float8 as lng) as said
    join public.own_places as place
      on place.id = "placeId" and (place.latitude, place.longitude) = ("placeLatitude", "placeLongitude")
    order by place.id, said.lat, said.lng
    on conflict (place_id, latitude, longitude) do update set
      foot_minutes = excluded.foot_minutes, bicycle_minutes = excluded.bicycle_minutes, asked_at = excluded.asked_at`;
}
