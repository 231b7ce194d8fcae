import { queryOptions, useQuery } from "@tanstack/react-query";
import { queryKeys } from "./query-keys.ts";
import { loadConfig, type SiteConfig } from "./site-config.ts";

const AGAIN_MS = 10_000;

/** Asked once. Whatever kept it from arriving, it is asked for again. */
const configQuery = queryOptions({
  queryKey: queryKeys.config(),
  queryFn: loadConfig,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  refetchInterval: ({ state }) => (state.data === undefined && state.error ? AGAIN_MS : false),
});

export function useConfig(): SiteConfig | undefined {
  return useQuery(configQuery).data;
}
