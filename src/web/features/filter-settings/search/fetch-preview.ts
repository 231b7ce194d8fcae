import { queryOptions } from "@tanstack/react-query";
import type { ListingPreview, SearchPreview } from "#core/search/search-preview.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

/** One request for a link that is typed letter by letter. */
const SETTLE_MS = 700;
const FRESH_MS = 5 * 60_000;
const PAUSES_MS = [300, 500, 1_000, 1_500, 2_000, 4_000];

export function previewQuery(userId: string, url: string) {
  return queryOptions({
    queryKey: queryKeys.preview(userId, url),
    queryFn: ({ signal }) => fetchPreview(url, signal),
    staleTime: FRESH_MS,
    retry: false,
  });
}

/** Returns null if no watcher answers. */
async function fetchPreview(
  filterUrl: string,
  signal: AbortSignal,
): Promise<SearchPreview | ListingPreview | null> {
  await waitFor(SETTLE_MS, signal);
  const supabase = await loadSupabase();
  for (const pauseMs of PAUSES_MS) {
    const answer = dataOf(await supabase.rpc("preview_search", { filter_url: filterUrl }));
    if (answer !== null) return answer;
    await waitFor(pauseMs, signal);
  }
  return null;
}

/** Rejects when the query is cancelled: every further request counts against the limit. */
async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  // It may have been cancelled while a request was under way.
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
