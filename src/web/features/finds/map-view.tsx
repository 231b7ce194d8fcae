import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Suspense, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { FoundHome } from "#core/finds/find.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { MissingNotice } from "#web/components/parts/missing-notice.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { searchesQuery } from "#web/lib/backend/searches.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";
import { useTexts, useTextsOf } from "#web/lib/i18n/use-texts.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { pointsQuery } from "./find-calls.ts";
import { type FindAddress, withParts } from "./list/address/find-address.ts";
import { usePlaces } from "./use-own-facts.ts";

const loadMap = () => import("./map/finds-map.tsx");
const MAP_TEXTS = ["map"] as const;
const FindsMap = lazyPart(async () => (await loadMap()).FindsMap, { namespaces: MAP_TEXTS });
const OpenedHome = lazyPart(async () => (await import("./home/opened-home.tsx")).OpenedHome, {
  isFloating: true,
});

/** Loads what a map of these homes needs, before somebody presses Map. */
export function usePreloadMap(): (homes: readonly FoundHome[]) => Promise<void> {
  const texts = useTextsOf(MAP_TEXTS);
  return async (homes) => {
    const [{ preloadZones }] = await Promise.all([loadMap(), texts.load()]);
    await preloadZones(homes);
  };
}

/** Requests the points of a pressed link to the map, before the map is rendered. */
export function prefetchPoints(queries: QueryClient, userId: string): void {
  void queries.prefetchQuery(pointsQuery(userId, {}));
}

interface MapViewProps {
  userId: string;
  address: FindAddress;
}

/** Loads what the map shows, and shows an opened home over it. */
export function MapView({ userId, address }: MapViewProps) {
  const t = useTexts("finds");
  const { filter, home } = address;
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const points = useQuery(pointsQuery(userId, filter));
  const searches = useQuery(searchesQuery(userId));
  const searchUrls = useMemo(() => (searches.data ?? []).map(({ url }) => url), [searches.data]);
  const places = usePlaces(userId);
  const openHome = (listingId: string) =>
    void navigate(withParts(params, { home: listingId }), {
      preventScrollReset: true,
      state: { isOpenedHere: true },
    });
  if (isMissing(points))
    return <MissingNotice message={t("list.failed")} onRetry={() => void points.refetch()} />;
  return (
    <Suspense fallback={<Skeleton className="h-map rounded-2xl" />}>
      <FindsMap
        // The initial view is around what is searched, unless that cannot be known.
        points={searches.data || isMissing(searches) ? points.data : undefined}
        searchUrls={searchUrls}
        openHome={openHome}
        places={places}
      />
      {home !== null && <OpenedHome userId={userId} listingId={home} />}
    </Suspense>
  );
}
