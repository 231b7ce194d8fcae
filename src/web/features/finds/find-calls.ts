import type { FindDetails, FindFilter, FindPoint } from "#core/finds/find.ts";
import { completeCard } from "#core/listing/home-card.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

/** By the id of one of its listings, or of the home. Returns null if it was not found for the person, or no longer is. */
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
