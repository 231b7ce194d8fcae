import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { FindFilter, FindPage } from "#core/finds/find.ts";
import { storedSession } from "../../hydration/stored-session.ts";
import { queryKeys } from "./query-keys.ts";
import { loadConfig } from "./site-config.ts";
import { dataOf, loadSupabase } from "./supabase.ts";

/** Here and not with the page, because a link to the page asks for its first cards before the page is loaded. */
export function findsQuery(userId: string, filter: FindFilter) {
  return {
    queryKey: queryKeys.findsOf(userId, filter),
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      (pageParam === null && takeEarly(userId, filter)?.page) || fetchFinds(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last: FindPage) => last.next,
    // What changes is told by the database (use-live-finds.ts), and put in its place.
    staleTime: Number.POSITIVE_INFINITY,
    initialData: () => answeredEarly(userId, filter),
    retry: 1,
  };
}

export async function fetchFinds(filter: FindFilter, after: string | null): Promise<FindPage> {
  const supabase = await loadSupabase();
  const asked = { filter: { ...filter }, ...(after === null ? {} : { after }) };
  return dataOf(await supabase.rpc("my_finds", asked).retry(false));
}

/** Failures are for the page to meet: it asks again. */
export function prefetchFinds(queries: QueryClient, userId: string): void {
  void queries.prefetchInfiniteQuery({ ...findsQuery(userId, {}), retry: false });
}

const EARLY_MS = 30_000;

let early:
  | { userId: string; askedAt: number; page: Promise<FindPage>; answer?: FindPage | undefined }
  | undefined;

/**
 * For a page that is only just being loaded: its first question then finds the answer on its way. Asked without supabase-js,
 * whose 50 kB the cards would wait for on a slow line.
 */
export async function askForFindsEarly(): Promise<void> {
  const askedAt = Date.now();
  const session = storedSession(askedAt);
  if (!session) return;
  const asked = { userId: session.user.id, askedAt, page: fetchWithToken(session.access_token) };
  early = asked;
  const answer = await asked.page;
  // Unless somebody has taken the promise of it meanwhile.
  if (early === asked) early = { ...asked, answer };
}

async function fetchWithToken(token: string): Promise<FindPage> {
  const { supabaseUrl, publishableKey } = await loadConfig();
  const answer = await fetch(new URL("/rest/v1/rpc/my_finds", new URL(supabaseUrl, window.location.origin)), {
    method: "POST",
    headers: { apikey: publishableKey, authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ filter: {} }),
  });
  if (!answer.ok) throw new Error(`The first finds were answered with ${answer.status}`);
  return answer.json();
}

/** What has come already is drawn at once, not after a round without it. */
function answeredEarly(
  userId: string,
  filter: FindFilter,
): InfiniteData<FindPage, string | null> | undefined {
  const answer = early?.answer && takeEarly(userId, filter)?.answer;
  return answer && { pages: [answer], pageParams: [null] };
}

/** Once, and only for whom it was asked. */
function takeEarly(userId: string, filter: FindFilter): typeof early {
  const asked = early;
  early = undefined;
  const isMeant =
    asked?.userId === userId &&
    Date.now() - asked.askedAt < EARLY_MS &&
    Object.values(filter).every((part) => part === undefined);
  return isMeant ? asked : undefined;
}
