/** The rules of searches, with what they ask about: people's places, travel times and the words of descriptions. */
import type { OwnPlace, TravelTime } from "#core/finds/find.ts";
import { type PreparedRules, prepareRules } from "#core/rules/decide-home.ts";
import type { PastHome } from "#core/rules/past-homes.ts";
import { readRules } from "#core/rules/rule.ts";
import type { Rule } from "#core/rules/rule-kinds.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface SearchRules {
  readonly rules: PreparedRules;
  /** Of its owner. */
  readonly places: readonly OwnPlace[];
}

/** Only of searches that have rules. */
export async function readSearchRules(
  db: Db,
  searchIds: readonly string[],
): Promise<Map<string, SearchRules>> {
  if (searchIds.length === 0) return new Map();
  const rows = await db<{ id: string; rules: unknown; places: OwnPlace[] }[]>`
    select searches.id, searches.rules, ${ownPlaces(db)} as places from public.searches
    where searches.id in (select jsonb_array_elements_text(${jsonOf(db, searchIds)})::uuid) and searches.rules <> '[]'`;
  return new Map(
    rows.map(({ id, rules, places }) => [id, { rules: prepareRules(readRules(rules).rules), places }]),
  );
}

function ownPlaces(db: Db) {
  return db`(
    select coalesce(jsonb_agg(
      jsonb_build_object('id', id, 'name', name, 'latitude', latitude, 'longitude', longitude) order by created_at, id
    ), '[]')
    from public.own_places where own_places.user_id = searches.user_id
  )`;
}

export interface RoundedPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** As the routing server was asked: rounded to four digits. */
export function roundedPoint(latitude: number, longitude: number): RoundedPoint {
  const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4;
  return { latitude: round(latitude), longitude: round(longitude) };
}

/** The known travel times to these places, by "latitude longitude" of the home. */
export async function readTravelTimes(
  db: Db,
  placeIds: readonly string[],
  points: readonly RoundedPoint[],
): Promise<Map<string, TravelTime[]>> {
  if (placeIds.length === 0 || points.length === 0) return new Map();
  const rows = await db<(TravelTime & RoundedPoint)[]>`
    select known.place_id as "placeId", known.latitude, known.longitude, foot_minutes as "footMinutes",
      bicycle_minutes as "bicycleMinutes"
    from jsonb_to_recordset(${jsonOf(db, points)}) as home (latitude float8, longitude float8)
    join watch.travel_times as known on known.latitude = home.latitude and known.longitude = home.longitude
      and known.place_id in (select jsonb_array_elements_text(${jsonOf(db, placeIds)})::uuid)`;
  return Map.groupBy(rows, ({ latitude, longitude }) => `${latitude} ${longitude}`);
}

/** The stored words of listings whose description is not at hand, by code. */
export async function readStoredWords(db: Db, codes: readonly string[]): Promise<Map<string, string>> {
  if (codes.length === 0) return new Map();
  const rows = await db<{ code: string; words: string }[]>`
    select listing_id as code, words from watch.portal_listings
    where listing_id in (select jsonb_array_elements_text(${jsonOf(db, codes)})) and words is not null`;
  return new Map(rows.map(({ code, words }) => [code, words]));
}

/** What is needed to say what rules would have done. */
export interface PastOfSearch {
  readonly rules: readonly Rule[];
  readonly unreadable: number;
  readonly homes: readonly PastHome[];
  readonly places: readonly OwnPlace[];
}

export async function readPast(db: Db, searchId: string, now: Date): Promise<PastOfSearch | undefined> {
  const [row] = await db<{ rules: unknown; homes: PastHome[]; places: OwnPlace[] }[]>`
    select searches.rules, watch.homes_of_search(searches.user_id, searches.id, ${now}) as homes, ${ownPlaces(db)} as places
    from public.searches where searches.id = ${searchId}`;
  return row && { ...row, ...readRules(row.rules) };
}
