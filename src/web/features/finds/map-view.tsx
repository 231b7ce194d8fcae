import { useQuery } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { FindPoint, OwnPlace } from "#core/finds/find.ts";
import { FailureNotice } from "#web/components/failure-notice.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { fetchPoints } from "./find-calls.ts";
import { type FindAddress, withParts } from "./list/address/find-address.ts";
import { usePlaces, useSearches } from "./use-own-facts.ts";

const OpenedHome = lazy(async () => ({ default: (await import("./home/opened-home.tsx")).OpenedHome }));

export interface MapProps {
  points: readonly FindPoint[];
  searchUrls: readonly string[];
  openHome(listingId: string): void;
  places: readonly OwnPlace[];
}

interface MapViewProps {
  Map: ComponentType<MapProps>;
  userId: string;
  address: FindAddress;
}

/** What the map is made of, and the home that is opened over it. */
export function MapView({ Map: FindsMap, userId, address }: MapViewProps) {
  const t = useTexts("finds");
  const { filter, home } = address;
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const points = useQuery({
    queryKey: ["find-points", userId, filter],
    queryFn: () => fetchPoints(filter),
    retry: 1,
  });
  const searches = useSearches(userId);
  const searchUrls = useMemo(() => (searches ?? []).map(({ url }) => url), [searches]);
  const places = usePlaces(userId);
  const openHome = (listingId: string) =>
    void navigate(withParts(params, { home: listingId }), {
      preventScrollReset: true,
      state: { isOpenedHere: true },
    });
  if (points.isError)
    return (
      <FailureNotice
        message={t("list.failed")}
        retry={{ text: t("list.retry"), onRetry: () => void points.refetch() }}
      />
    );
  return (
    <Suspense fallback={<Skeleton className="h-[70vh] rounded-2xl" />}>
      {points.data && searches ? (
        <FindsMap points={points.data} searchUrls={searchUrls} openHome={openHome} places={places} />
      ) : (
        <Skeleton className="h-[70vh] rounded-2xl" />
      )}
      {home !== null && <OpenedHome userId={userId} listingId={home} />}
    </Suspense>
  );
}
