import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { fetchWatch, type Watch } from "./watch-calls.ts";

const RELOAD_MS = 30_000;

/** How the watch fares; a change of the person's rows loads it again at once. */
export function useWatch(userId: string): UseQueryResult<Watch | null> {
  return useQuery({
    queryKey: ["watch", userId],
    queryFn: fetchWatch,
    refetchInterval: RELOAD_MS,
  });
}
