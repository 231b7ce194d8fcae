import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Zone, zonesOf } from "#core/zones/city-shapes.ts";
import { loadShapes } from "#core/zones/load-shapes.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";

interface LoadedZones {
  /** By province; a province without shapes has none. Undefined until all are loaded. */
  readonly zones: ReadonlyMap<string, readonly Zone[]> | undefined;
  readonly isFailed: boolean;
  readonly retry: () => void;
}

/** The zones of provinces. Each city is a file of its own. */
export function useZones(provinceIds: readonly string[]): LoadedZones {
  const loaded = useQueries({
    queries: provinceIds.map((provinceId) => ({
      queryKey: queryKeys.zoneShapes(provinceId),
      queryFn: async () => (await loadShapes(provinceId)) ?? null,
      staleTime: Number.POSITIVE_INFINITY,
      networkMode: "always" as const,
    })),
    combine: (results) => ({
      shapes: results.every(({ isSuccess }) => isSuccess)
        ? results.map(({ data }) => data ?? null)
        : undefined,
      isFailed: results.some(({ isError }) => isError),
      retry: () => {
        for (const { isError, refetch } of results) if (isError) void refetch();
      },
    }),
  });
  const { shapes } = loaded;
  const zones = useMemo(
    () =>
      shapes &&
      new Map(
        provinceIds.map((id, index) => {
          const city = shapes[index];
          return [id, city ? zonesOf(city) : []];
        }),
      ),
    [shapes, provinceIds],
  );
  return { zones, isFailed: loaded.isFailed, retry: loaded.retry };
}
