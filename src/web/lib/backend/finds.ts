import type { QueryClient } from "@tanstack/react-query";
import type { FindFilter, FindPage } from "#core/finds/find.ts";
import { dataOf, loadSupabase } from "./supabase.ts";

/** Here and not with the page, because a link to the page asks for its first cards before the page is loaded. */
export function findsQuery(userId: string, filter: FindFilter) {
  return {
    queryKey: ["finds", userId, filter] as const,
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      (pageParam === null && takeEarlyFinds(userId, filter)) || fetchFinds(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last: FindPage) => last.next,
    // What changes is told by the database (use-live-finds.ts), and put in its place.
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  };
}

export async function fetchFinds(filter: FindFilter, after: string | null): Promise<FindPage> {
  const supabase = await loadSupabase();
  const asked = { filter: { ...filter }, ...(after === null ? {} : { after }) };
  return dataOf(await supabase.rpc("my_finds", asked).retry(false)) as unknown as FindPage;
}

/** Failures are for the page to meet: it asks again. */
export function prefetchFinds(queries: QueryClient, userId: string): void {
  void queries.prefetchInfiniteQuery({ ...findsQuery(userId, {}), retry: false });
}

const EARLY_MS = 30_000;

let early: { userId: string; askedAt: number; page: Promise<FindPage> } | undefined;

/** For a page that is only just being loaded: its first question then finds the answer on its way. */
export async function askForFindsEarly(): Promise<void> {
  const { auth } = await loadSupabase();
  const userId = (await auth.getSession()).data.session?.user.id;
  if (userId === undefined) return;
  early = { userId, askedAt: Date.now(), page: fetchFinds({}, null) };
  await early.page;
}

/** Once, and only for whom it was asked. */
function takeEarlyFinds(userId: string, filter: FindFilter): Promise<FindPage> | undefined {
  const asked = early;
  early = undefined;
  const isMeant =
    asked?.userId === userId &&
    Date.now() - asked.askedAt < EARLY_MS &&
    Object.values(filter).every((part) => part === undefined);
  return isMeant ? asked.page : undefined;
}
