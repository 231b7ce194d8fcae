import { useQuery } from "@tanstack/react-query";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { useIsLive } from "#web/lib/backend/use-is-live.ts";
import { fetchChats } from "./chat-calls.ts";

/** Polling in case a network blocks realtime. */
const RELOAD_MS = 20_000;

export function useChats(userId: string) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: queryKeys.chats(userId),
    queryFn: () => fetchChats(userId),
    refetchInterval: isLive ? false : RELOAD_MS,
  });
}
