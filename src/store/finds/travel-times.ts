import { type Db, jsonOf } from "../connection/json-parameter.ts";

/** From a home, at a point rounded to four digits, to a place of somebody's own. */
export interface Way {
  readonly placeId: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Null: there is no way that the server knows of. */
export interface TravelTime extends Way {
  readonly footMinutes: number | null;
  readonly bicycleMinutes: number | null;
}

/** Those that are known of the ways asked for. */
export async function readTravelTimes(db: Db, ways: readonly Way[]): Promise<TravelTime[]> {
  if (ways.length === 0) return [];
  return await db<TravelTime[]>`
    select known.place_id as "placeId", known.latitude, known.longitude, known.foot_minutes as "footMinutes",
      known.bicycle_minutes as "bicycleMinutes"
    from jsonb_to_recordset(${jsonOf(db, ways)}) as asked ("placeId" uuid, latitude float8, longitude float8)
    join watch.travel_times as known on known.place_id = asked."placeId"
      and known.latitude = round(asked.latitude::numeric, 4)::float8
      and known.longitude = round(asked.longitude::numeric, 4)::float8`;
}

/** Of a place that is no more, nothing is kept. */
export async function recordTravelTimes(db: Db, times: readonly TravelTime[], now: Date): Promise<void> {
  if (times.length === 0) return;
  await db`
    insert into watch.travel_times (place_id, latitude, longitude, foot_minutes, bicycle_minutes, asked_at)
    select distinct on (place.id, said.lat, said.lng) place.id, said.lat, said.lng, "footMinutes", "bicycleMinutes", ${now}
    from jsonb_to_recordset(${jsonOf(db, times)}) as told (
      "placeId" uuid, latitude numeric, longitude numeric, "footMinutes" int, "bicycleMinutes" int
    )
    cross join lateral (select round(latitude, 4)::float8 as lat, round(longitude, 4)::float8 as lng) as said
    join public.own_places as place on place.id = "placeId"
    order by place.id, said.lat, said.lng
    on conflict (place_id, latitude, longitude) do update set
      foot_minutes = excluded.foot_minutes, bicycle_minutes = excluded.bicycle_minutes, asked_at = excluded.asked_at`;
}
