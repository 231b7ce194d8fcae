import { type InfiniteData, type QueryClient, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { FindFilter, FindPage, FoundHome } from "#core/finds/find.ts";
import { findsQuery } from "#web/lib/backend/finds.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { countOfFinds, type LoadedFinds, shownFinds, withFind } from "./find-pages.ts";

/** About fourteen cards of a phone: more than a fast scroll passes while the next page loads. */
const NEAR = "7000px";

type Cached = InfiniteData<FindPage>;

export function useFinds(userId: string, filter: FindFilter) {
  const query = useInfiniteQuery({
    ...findsQuery(userId, filter),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const finds = useMemo(() => shownFinds(data, filter), [data, filter]);
  // If all homes of the loaded pages were hidden, there is nothing to scroll: load the next page.
  const isStuck = data !== undefined && finds.length === 0 && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isStuck && !isFetchingNextPage) void fetchNextPage();
  }, [isStuck, isFetchingNextPage, fetchNextPage]);
  return { ...query, finds, count: countOfFinds(data, filter) };
}

export function changeList(
  queries: QueryClient,
  key: ReturnType<typeof findsQuery>["queryKey"],
  change: (loaded: LoadedFinds) => LoadedFinds,
): void {
  queries.setQueryData<Cached>(key, (loaded) => loaded && (change(loaded) as Cached));
}

/** Changes a home in every cached list, and opened. */
export function changeFind(
  queries: QueryClient,
  userId: string,
  { homeId, listingId }: Pick<FoundHome, "homeId" | "listingId">,
  change: Partial<FoundHome>,
): void {
  queries.setQueriesData<Cached>(
    { queryKey: queryKeys.finds(userId) },
    (loaded) => loaded && (withFind(loaded, homeId, change) as Cached),
  );
  queries.setQueryData<FoundHome | null>(
    queryKeys.find(userId, listingId),
    (find) => find && { ...find, ...change },
  );
}

/** An element below the last card: the next page loads when it comes near the screen. */
export function useEndOfList(onNear: () => void, isWatched: boolean) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isWatched || !mark.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onNear(),
      { rootMargin: NEAR },
    );
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [onNear, isWatched]);
  return mark;
}
