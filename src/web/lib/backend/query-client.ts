import { onlineManager, QueryClient } from "@tanstack/react-query";
import { isPrerendering } from "../site/env.ts";
import { isTemporary } from "./supabase.ts";

const AGAIN_MS = 10_000;

export function createQueryClient(): QueryClient {
  // TanStack Query follows the browser's events, but assumes a connection at the start.
  if (!isPrerendering) onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
    defaultOptions: {
      // A page that could not be loaded recovers by itself when the server is back.
      queries: { refetchInterval: ({ state }) => (isTemporary(state.error) ? AGAIN_MS : false) },
    },
  });
}
