import { queryOptions, useQuery } from "@tanstack/react-query";
import type { OwnPlace } from "#core/finds/find.ts";
import { queryKeys } from "./query-keys.ts";
import { dataOf, loadSupabase } from "./supabase.ts";

/** The database refuses more than this for one person. */
export const MOST_PLACES = 3;
/** The database refuses longer names. */
export const LONGEST_PLACE_NAME = 40;

export type PlaceContent = Omit<OwnPlace, "id">;

const COLUMNS = "id, name, latitude, longitude";

export function ownPlacesQuery(userId: string) {
  return queryOptions({ queryKey: queryKeys.ownPlaces(userId), queryFn: () => fetchPlaces(userId) });
}

export function useOwnPlaces(userId: string) {
  return useQuery(ownPlacesQuery(userId));
}

async function fetchPlaces(userId: string): Promise<OwnPlace[]> {
  const supabase = await loadSupabase();
  const rows = supabase.from("own_places").select(COLUMNS).eq("user_id", userId);
  return dataOf(await rows.order("created_at").order("id").limit(MOST_PLACES).retry(false));
}

/** Adds it once: if an earlier attempt has arrived without its answer, the place is changed to what is typed now. */
export async function addPlace({ id, name, latitude, longitude }: OwnPlace): Promise<void> {
  const supabase = await loadSupabase();
  const content = { name, latitude, longitude };
  const inserted = supabase.from("own_places").upsert({ id, ...content }, { ignoreDuplicates: true });
  if (dataOf(await inserted.select("id")).length > 0) return;
  dataOf(await supabase.from("own_places").update(content).eq("id", id).select("id").single());
}

export async function deletePlace(id: string): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.from("own_places").delete().eq("id", id).select("id"));
}
