import type { FindDetails, FindFilter, FindPoint, HomeMark } from "#core/finds/find.ts";
import { completeCard } from "#core/listing/home-card.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

/** Returns null if the listing does not belong to the person, or no longer does. */
export async function fetchFind(listingId: string): Promise<FindDetails | null> {
  const supabase = await loadSupabase();
  const details = dataOf(await supabase.rpc("my_find", { listing_id: listingId }).retry(false));
  return details && completeCard(details);
}

export async function fetchPoints(filter: FindFilter): Promise<FindPoint[]> {
  const supabase = await loadSupabase();
  const lists = dataOf(await supabase.rpc("my_find_points", { filter: { ...filter } }));
  return lists.listingId.map((listingId, row) => ({
    listingId,
    latitude: lists.latitude[row] ?? null,
    longitude: lists.longitude[row] ?? null,
    isAddressShown: lists.isAddressShown[row] === true,
    placeId: lists.placeId[row] ?? null,
    priceEur: lists.priceEur[row] ?? null,
    mark: lists.mark[row] ?? null,
    isGone: lists.isGone[row] === true,
  }));
}

export async function markFind(listingId: string, mark: HomeMark | null): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc("mark_find", { listing_id: listingId, ...(mark === null ? {} : { mark }) }));
}

export async function noteFind(listingId: string, note: string | null): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc("note_find", { listing_id: listingId, ...(note === null ? {} : { note }) }));
}
