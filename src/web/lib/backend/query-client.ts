import { onlineManager, QueryClient } from "@tanstack/react-query";
import { isPrerendering } from "../site/env.ts";
import { every } from "./polling.ts";

export function createQueryClient(): QueryClient {
  // TanStack Query follows the browser's events, but assumes a connection at the start.
  if (!isPrerendering) onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
    defaultOptions: { queries: { retry: 1, refetchInterval: every(false) } },
  });
}
