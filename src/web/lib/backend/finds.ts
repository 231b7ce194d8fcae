import type { QueryClient } from "@tanstack/react-query";
import type { FindFilter, FindPage } from "#core/finds/find.ts";
import { dataOf, loadSupabase } from "./supabase.ts";

/** Here and not with the page, because a link to the page asks for its first cards before the page is loaded. */
export function findsQuery(userId: string, filter: FindFilter) {
  return {
    queryKey: ["finds", userId, filter] as const,
    queryFn: ({ pageParam }: { pageParam: string | null }) => fetchFinds(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last: FindPage) => last.next,
    // What changes is told by the database (use-live-finds.ts), and put in its place.
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  };
}

export async function fetchFinds(filter: FindFilter, after: string | null): Promise<FindPage> {
  const supabase = await loadSupabase();
  const asked = { filter: { ...filter }, ...(after === null ? {} : { after }) };
  return dataOf(await supabase.rpc("my_finds", asked).retry(false)) as unknown as FindPage;
}

/** Failures are for the page to meet: it asks again. */
export function prefetchFinds(queries: QueryClient, userId: string): void {
  void queries.prefetchInfiniteQuery({ ...findsQuery(userId, {}), retry: false });
}
