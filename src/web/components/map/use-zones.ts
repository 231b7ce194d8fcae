import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Zone } from "#core/zones/city-shapes.ts";
import { type Land, loadLand } from "#core/zones/land.ts";
import { loadZones } from "#core/zones/load-shapes.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";

interface LoadedZones {
  /** By province. Undefined until all are loaded. */
  readonly zones: ReadonlyMap<string, readonly Zone[]> | undefined;
  readonly isFailed: boolean;
  readonly retry: () => void;
}

function zoneShapesQuery(provinceIds: readonly string[]) {
  return queryOptions({
    queryKey: queryKeys.zoneShapes(provinceIds),
    queryFn: () => Promise.all(provinceIds.map(async (id) => [id, await loadZones(id)] as const)),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
  });
}

/** The zones of provinces. Each community and each city is a file of its own. */
export function useZones(provinceIds: readonly string[]): LoadedZones {
  const loaded = useQuery({
    ...zoneShapesQuery(provinceIds),
    // A find in another province must not take the map away. Before the first find there is none to keep.
    placeholderData: (previous) => (previous?.length ? previous : undefined),
  });
  const { data } = loaded;
  const zones = useMemo(() => data && new Map(data), [data]);
  return { zones, isFailed: isMissing(loaded), retry: () => void loaded.refetch() };
}

interface LoadedLand {
  readonly land: Land | undefined;
  readonly isFailed: boolean;
  readonly retry: () => void;
}

const landQuery = queryOptions({
  queryKey: queryKeys.land(),
  queryFn: loadLand,
  staleTime: Number.POSITIVE_INFINITY,
  networkMode: "always",
});

export function useLand(): LoadedLand {
  const loaded = useQuery(landQuery);
  return { land: loaded.data, isFailed: isMissing(loaded), retry: () => void loaded.refetch() };
}
