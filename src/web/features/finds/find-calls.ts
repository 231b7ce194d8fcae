import type { FindDetails, FindFilter, FindMark, FindPoint, OwnPlace } from "#core/finds/find.ts";
import type { MessageProfile } from "#text/advertiser-message.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

/** Null where it is not, or no more, the person's. */
export async function fetchFind(listingId: string): Promise<FindDetails | null> {
  const supabase = await loadSupabase();
  const asked = supabase.rpc("my_find", { listing_id: listingId });
  return dataOf(await asked.retry(false)) as unknown as FindDetails | null;
}

export async function fetchPoints(filter: FindFilter): Promise<FindPoint[]> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_find_points", { filter: { ...filter } })) as unknown as FindPoint[];
}

export async function markFind(listingId: string, mark: FindMark | null): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc("mark_find", { listing_id: listingId, ...(mark === null ? {} : { mark }) }));
}

export async function noteFind(listingId: string, note: string | null): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc("note_find", { listing_id: listingId, ...(note === null ? {} : { note }) }));
}

export async function fetchPlaces(userId: string): Promise<OwnPlace[]> {
  const supabase = await loadSupabase();
  return dataOf(
    await supabase
      .from("own_places")
      .select("id, name, latitude, longitude")
      .eq("user_id", userId)
      .order("created_at")
      .order("id")
      .retry(false),
  );
}

/** What the message to an advertiser says of the person; null until any of it was filled in. */
export async function fetchProfile(userId: string): Promise<MessageProfile | null> {
  const supabase = await loadSupabase();
  const [row] = dataOf(
    await supabase
      .from("find_settings")
      .select("who, job, moving_from, about")
      .eq("user_id", userId)
      .limit(1)
      .retry(false),
  );
  if (!row) return null;
  const profile = { who: row.who, job: row.job, movingFrom: row.moving_from, about: row.about };
  return Object.values(profile).some((part) => part) ? profile : null;
}
