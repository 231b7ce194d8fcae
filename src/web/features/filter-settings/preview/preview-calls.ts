import type { SearchPreview } from "#core/search/search-preview.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

const PAUSES_MS = [300, 500, 1_000, 1_500, 2_000, 4_000];

/** What a link would find; null where nobody is there to answer. */
export async function fetchPreview(filterUrl: string, signal: AbortSignal): Promise<SearchPreview | null> {
  const supabase = await loadSupabase();
  for (const pauseMs of PAUSES_MS) {
    const answer = dataOf(await supabase.rpc("preview_search", { filter_url: filterUrl }));
    if (answer !== null) return answer as unknown as SearchPreview;
    await pause(pauseMs, signal);
  }
  return null;
}

/** Rejects as soon as nobody wants the answer any more: each further question counts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
