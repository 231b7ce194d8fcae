import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Zone, zonesOf } from "#core/zones/city-shapes.ts";
import { loadShapes } from "#core/zones/load-shapes.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";

interface LoadedZones {
  /** By province; a province without shapes has none. Undefined until all are loaded. */
  readonly zones: ReadonlyMap<string, readonly Zone[]> | undefined;
  readonly isFailed: boolean;
  readonly retry: () => void;
}

function zoneShapesQuery(provinceIds: readonly string[]) {
  return queryOptions({
    queryKey: queryKeys.zoneShapes(provinceIds),
    queryFn: () => Promise.all(provinceIds.map(async (id) => ({ id, city: (await loadShapes(id)) ?? null }))),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
  });
}

/** The zones of provinces. Each city is a file of its own. */
export function useZones(provinceIds: readonly string[]): LoadedZones {
  const loaded = useQuery({
    ...zoneShapesQuery(provinceIds),
    // A find in another province must not take the map away. Before the first find there is none to keep.
    placeholderData: (previous) => (previous?.length ? previous : undefined),
  });
  const { data } = loaded;
  const zones = useMemo(
    () => data && new Map(data.map(({ id, city }) => [id, city ? zonesOf(city) : []])),
    [data],
  );
  return { zones, isFailed: isMissing(loaded), retry: () => void loaded.refetch() };
}
