import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { FindDetails, FindFilter, FindPage } from "#core/finds/find.ts";
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
      (pageParam === null && takeEarly<CardPage>(queryKeys.findsOf(userId, filter))?.answer) ||
      fetchFinds(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last: CardPage) => last.next,
    // Changes arrive by realtime and are applied to the cache (use-live-finds.ts), what else ages when it is seen (use-fresh-cards.ts).
    staleTime: Number.POSITIVE_INFINITY,
    initialData: (): InfiniteData<CardPage, string | null> | undefined => {
      const first = earlyData<CardPage>(queryKeys.findsOf(userId, filter));
      return first && { pages: [first], pageParams: [null] };
    },
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

export const EARLY_ANSWER_MS = 30_000;

/** What the page shows first, requested while the application is still loading. */
let early: { key: string; askedAt: number; answer: Promise<unknown>; arrived?: unknown } | undefined;

/** The first page of finds. */
export function requestFindsEarly(): Promise<CardPage | undefined> {
  return requestEarly("my_finds", { filter: {} }, (userId) => queryKeys.findsOf(userId, {}), withWholeCards);
}

/** One home: null if it was not found for the person, or no longer is. */
export function requestFindEarly(listingId: string): Promise<FindDetails | null | undefined> {
  return requestEarly(
    "my_find",
    { listing_id: listingId },
    (userId) => queryKeys.find(userId, listingId),
    (details: FindDetails | null) => details && completeCard(details),
  );
}

/** Without supabase-js, whose 50 kB would delay the homes on a slow connection. */
async function requestEarly<Sent, Answer>(
  name: string,
  body: object,
  keyOf: (userId: string) => QueryKey,
  read: (sent: Sent) => Answer,
): Promise<Answer | undefined> {
  const askedAt = Date.now();
  const session = storedSession(askedAt);
  if (!session) return undefined;
  const answer = callWithToken(name, body, session.access_token).then((sent) => read(sent as Sent));
  const asked = { key: JSON.stringify(keyOf(session.user.id)), askedAt, answer };
  early = asked;
  const arrived = await answer;
  // Unless the query has taken the promise in the meantime.
  if (early === asked) early = { ...asked, arrived };
  return arrived;
}

/** After a change that the early answer does not have. */
export function forgetEarlyFinds(): void {
  early = undefined;
}

async function callWithToken(name: string, body: object, token: string): Promise<unknown> {
  const { supabaseUrl, publishableKey } = await loadConfig();
  // The backend's address may have a path of its own.
  const address = new URL(`${supabaseUrl.replace(/\/$/, "")}/rest/v1/rpc/${name}`, window.location.origin);
  const answer = await fetch(address, {
    method: "POST",
    headers: { apikey: publishableKey, authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${name} answered ${answer.status}`);
  return answer.json();
}

/** An answer that is already here is rendered at once. */
export function earlyData<Answer>(key: QueryKey): Answer | undefined {
  return early?.arrived === undefined ? undefined : (takeEarly<Answer>(key)?.arrived as Answer | undefined);
}

/** Can be taken once, and only by the query of the person it was requested for. Parts of a filter that are undefined do not count. */
export function takeEarly<Answer>(key: QueryKey): { answer: Promise<Answer>; arrived?: unknown } | undefined {
  const asked = early;
  if (asked?.key !== JSON.stringify(key) || Date.now() - asked.askedAt > EARLY_ANSWER_MS) return undefined;
  early = undefined;
  return asked as { answer: Promise<Answer>; arrived?: unknown };
}
