import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { FindFilter, FindPage } from "#core/finds/find.ts";
import { completeCard } from "#core/listing/home-card.ts";
import { storedSession } from "../auth/stored-session.ts";
import { queryKeys } from "./query-keys.ts";
import { loadConfig } from "./site-config.ts";
import { dataOf, loadSupabase } from "./supabase.ts";

export const FRESH_CARDS_MS = 10 * 60_000;

export interface CardPage extends FindPage {
  /** By the clock of this device; missing in a page that an earlier version stored. */
  readonly readAt?: number;
}

/** Not in the page's folder: a link to the page requests the first cards before the page is loaded. */
export function findsQuery(userId: string, filter: FindFilter) {
  return {
    queryKey: queryKeys.findsOf(userId, filter),
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      (pageParam === null && takeEarlyAnswer(userId, filter)?.page) || fetchFinds(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last: CardPage) => last.next,
    // Changes arrive by realtime and are applied to the cache (use-live-finds.ts), what else ages when it is seen (use-fresh-cards.ts).
    staleTime: Number.POSITIVE_INFINITY,
    initialData: () => earlyData(userId, filter),
  };
}

export async function fetchFinds(filter: FindFilter, after: string | null): Promise<CardPage> {
  const supabase = await loadSupabase();
  const asked = { filter: { ...filter }, ...(after === null ? {} : { after }) };
  return withWholeCards(dataOf(await supabase.rpc("my_finds", asked).retry(false)));
}

/** A card that an earlier version stored may lack a field. */
function withWholeCards(page: FindPage): CardPage {
  return { ...page, finds: page.finds.map(completeCard), readAt: Date.now() };
}

/** Failures are ignored: the page requests the list again. */
export function prefetchFinds(queries: QueryClient, userId: string): void {
  void queries.prefetchInfiniteQuery({ ...findsQuery(userId, {}), retry: false });
}

const EARLY_MS = 30_000;

let early:
  | { userId: string; askedAt: number; page: Promise<CardPage>; answer?: CardPage | undefined }
  | undefined;

/**
 * Requests the first page of finds while the application is still loading. Without supabase-js, whose 50 kB would delay
 * the cards on a slow connection.
 */
export async function requestFindsEarly(): Promise<CardPage | undefined> {
  const askedAt = Date.now();
  const session = storedSession(askedAt);
  if (!session) return undefined;
  const asked = { userId: session.user.id, askedAt, page: fetchWithToken(session.access_token) };
  early = asked;
  const answer = await asked.page;
  // Unless the query has taken the promise in the meantime.
  if (early === asked) early = { ...asked, answer };
  return answer;
}

/** After a change that the early answer does not have. */
export function forgetEarlyFinds(): void {
  early = undefined;
}

async function fetchWithToken(token: string): Promise<CardPage> {
  const { supabaseUrl, publishableKey } = await loadConfig();
  // The backend's address may have a path of its own.
  const address = new URL(`${supabaseUrl.replace(/\/$/, "")}/rest/v1/rpc/my_finds`, window.location.origin);
  const answer = await fetch(address, {
    method: "POST",
    headers: { apikey: publishableKey, authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ filter: {} }),
  });
  if (!answer.ok) throw new Error(`my_finds answered ${answer.status}`);
  return withWholeCards(await answer.json());
}

/** An answer that is already here is rendered at once. */
function earlyData(userId: string, filter: FindFilter): InfiniteData<CardPage, string | null> | undefined {
  const answer = early?.answer && takeEarlyAnswer(userId, filter)?.answer;
  return answer && { pages: [answer], pageParams: [null] };
}

/** Can be taken once, and only for the person it was requested for. */
function takeEarlyAnswer(userId: string, filter: FindFilter): typeof early {
  const asked = early;
  early = undefined;
  const isMeant =
    asked?.userId === userId &&
    Date.now() - asked.askedAt < EARLY_MS &&
    Object.values(filter).every((part) => part === undefined);
  return isMeant ? asked : undefined;
}
