import { type InfiniteData, type QueryClient, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Find, FindFilter, FindPage } from "#core/finds/find.ts";
import { findsQuery } from "#web/lib/backend/finds.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { countOfFinds, type LoadedFinds, shownFinds, withFind } from "./find-pages.ts";

/** Some fourteen cards of a phone: more than a quick thumb passes while the next page comes. */
const NEAR = "7000px";

type Cached = InfiniteData<FindPage>;

/** The finds of a filter, page by page. */
export function useFinds(userId: string, filter: FindFilter) {
  const query = useInfiniteQuery({
    ...findsQuery(userId, filter),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const finds = useMemo(() => shownFinds(data, filter), [data, filter]);
  // A page whose homes were all hidden since shows nothing to scroll to.
  const isStuck = data !== undefined && finds.length === 0 && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isStuck && !isFetchingNextPage) void fetchNextPage();
  }, [isStuck, isFetchingNextPage, fetchNextPage]);
  return { ...query, finds, count: countOfFinds(data, filter) };
}

/** Changes a list in place. */
export function changeList(
  queries: QueryClient,
  key: ReturnType<typeof findsQuery>["queryKey"],
  change: (loaded: LoadedFinds) => LoadedFinds,
): void {
  queries.setQueryData<Cached>(key, (loaded) => loaded && (change(loaded) as Cached));
}

/** Changes a home wherever it is shown: in every list of the person, and opened. */
export function changeFind(
  queries: QueryClient,
  userId: string,
  { homeId, listingId }: Pick<Find, "homeId" | "listingId">,
  change: Partial<Find>,
): void {
  queries.setQueriesData<Cached>(
    { queryKey: queryKeys.finds(userId) },
    (loaded) => loaded && (withFind(loaded, homeId, change) as Cached),
  );
  queries.setQueryData<Find | null>(
    queryKeys.find(userId, listingId),
    (find) => find && { ...find, ...change },
  );
}

/** A mark below the last card: when it comes near the screen, the next page is asked for. */
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
