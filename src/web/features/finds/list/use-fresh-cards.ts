import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect } from "react";
import type { FindFilter } from "#core/finds/find.ts";
import { type CardPage, FRESH_CARDS_MS, fetchFinds, findsQuery } from "#web/lib/backend/finds.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { changeFind, changeList } from "./use-finds.ts";
import { changeCount, isChangedSince } from "./use-marks.ts";

const LOOK_MS = 60_000;
/** After a scroll. */
const SETTLE_MS = 250;

interface Pages {
  readonly pages: readonly CardPage[];
  readonly pageParams: readonly (string | null)[];
}

/** Prices and ends of listings are not announced: a page of the list whose cards are seen, and that is older, is read again. */
export function useFreshCards(userId: string, filter: FindFilter, list: RefObject<HTMLElement | null>): void {
  const queries = useQueryClient();
  useEffect(() => {
    let isReading = false;
    let settling: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const at =
        isReading || document.hidden ? -1 : staleInView(pagesOf(queries, userId, filter), list.current);
      if (at === -1) return;
      isReading = true;
      await readPage(queries, { userId, filter, at }).catch((error: unknown) =>
        logProblem("The cards could not be read again", error),
      );
      isReading = false;
    };
    const lookSoon = () => {
      clearTimeout(settling);
      settling = setTimeout(look, SETTLE_MS);
    };
    const timer = setInterval(look, LOOK_MS);
    const done = new AbortController();
    document.addEventListener("visibilitychange", lookSoon, { signal: done.signal });
    window.addEventListener("scroll", lookSoon, { signal: done.signal, passive: true });
    return () => {
      clearInterval(timer);
      clearTimeout(settling);
      done.abort();
    };
  }, [queries, userId, filter, list]);
}

function pagesOf(queries: QueryClient, userId: string, filter: FindFilter): Pages | undefined {
  return queries.getQueryData<Pages>(findsQuery(userId, filter).queryKey);
}

/** The first page that is old and has a card on the screen; -1 if there is none. */
function staleInView(loaded: Pages | undefined, list: HTMLElement | null): number {
  const now = Date.now();
  const isStale = ({ readAt = 0 }: CardPage) => now - readAt > FRESH_CARDS_MS;
  if (!loaded?.pages.some(isStale)) return -1;
  const cards = list?.querySelectorAll<HTMLElement>("[data-find]") ?? [];
  const seen = new Set([...cards].filter(isOnScreen).map(({ dataset }) => dataset.find));
  return loaded.pages.findIndex((page) => isStale(page) && page.finds.some(({ homeId }) => seen.has(homeId)));
}

function isOnScreen(card: Element): boolean {
  const { top, bottom } = card.getBoundingClientRect();
  return bottom >= 0 && top <= window.innerHeight;
}

async function readPage(
  queries: QueryClient,
  { userId, filter, at }: { userId: string; filter: FindFilter; at: number },
): Promise<void> {
  const count = changeCount();
  const after = pagesOf(queries, userId, filter)?.pageParams[at] ?? null;
  const { finds, readAt } = await fetchFinds(filter, after);
  for (const find of finds) if (!isChangedSince(count, find.homeId)) changeFind(queries, userId, find, find);
  changeList(queries, findsQuery(userId, filter).queryKey, (loaded) => ({
    ...loaded,
    pages: loaded.pages.map((page, index) =>
      loaded.pageParams[index] === after ? { ...page, readAt } : page,
    ),
  }));
}
