import { queryOptions } from "@tanstack/react-query";
import type { FindDetails, FindFilter, FindPoint, FoundHome } from "#core/finds/find.ts";
import { completeCard } from "#core/listing/home-card.ts";
import { EARLY_ANSWER_MS, earlyData, takeEarly } from "#web/lib/backend/finds.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

/** On a slow phone the press has the points before the map is rendered, which must not request them again. */
const JUST_REQUESTED_MS = 10_000;

export function findQuery(userId: string, listingId: string) {
  const queryKey = queryKeys.find(userId, listingId);
  return queryOptions<FoundHome | FindDetails | null>({
    queryKey,
    queryFn: () => takeEarly<FindDetails | null>(queryKey)?.answer ?? fetchFind(listingId),
    initialData: () => earlyData<FindDetails | null>(queryKey),
    // The early answer is not requested again.
    staleTime: ({ state }) => (state.dataUpdateCount === 0 ? EARLY_ANSWER_MS : 0),
  });
}

export function pointsQuery(userId: string, filter: FindFilter) {
  return queryOptions({
    queryKey: queryKeys.findPointsOf(userId, filter),
    queryFn: () => fetchPoints(filter),
    staleTime: JUST_REQUESTED_MS,
  });
}

/** By the id of one of its listings, or of the home. Returns null if it was not found for the person, or no longer is. */
export async function fetchFind(listingId: string): Promise<FindDetails | null> {
  const supabase = await loadSupabase();
  const details = dataOf(await supabase.rpc("my_find", { listing_id: listingId }).retry(false));
  return details && completeCard(details);
}

async function fetchPoints(filter: FindFilter): Promise<FindPoint[]> {
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
