import { queryOptions, useQuery } from "@tanstack/react-query";
import { every } from "#web/lib/backend/polling.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { useIsLive } from "#web/lib/backend/use-is-live.ts";
import { fetchChats } from "./chat-calls.ts";

/** In case a network blocks realtime. */
const RELOAD_MS = 20_000;

function chatsQuery(userId: string, isLive: boolean) {
  return queryOptions({
    queryKey: queryKeys.chats(userId),
    queryFn: () => fetchChats(userId),
    refetchInterval: every(isLive ? false : RELOAD_MS),
  });
}

export function useChats(userId: string) {
  return useQuery(chatsQuery(userId, useIsLive()));
}
