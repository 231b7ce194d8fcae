/** The loaded pages of finds in the query cache, and how they change without a reload. */
import type { FindFilter, FindPage, FoundHome } from "#core/finds/find.ts";

export interface LoadedFinds {
  readonly pages: readonly FindPage[];
  readonly pageParams: readonly unknown[];
}

/** A hidden home is left out of every list except that of hidden homes, but stays in the cache for an undo. */
export function shownFinds(loaded: LoadedFinds | undefined, filter: FindFilter): FoundHome[] {
  const seen = new Set<string>();
  const shown: FoundHome[] = [];
  for (const { finds } of loaded?.pages ?? []) {
    for (const find of finds) {
      // Another advert of the same home may be on a later page.
      if (seen.has(find.homeId) || (find.mark === "hidden" && filter.state !== "hidden")) continue;
      seen.add(find.homeId);
      shown.push(find);
    }
  }
  return shown;
}

/** How many homes match the filter in all, without those hidden since. */
export function countOfFinds(loaded: LoadedFinds | undefined, filter: FindFilter): number | null {
  const count = loaded?.pages[0]?.count ?? null;
  if (count === null || filter.state === "hidden") return count;
  const hidden = loaded?.pages.flatMap(({ finds }) => finds).filter(({ mark }) => mark === "hidden") ?? [];
  return Math.max(0, count - new Set(hidden.map(({ homeId }) => homeId)).size);
}

export function findOf(loaded: LoadedFinds | undefined, listingId: string): FoundHome | undefined {
  for (const { finds } of loaded?.pages ?? []) {
    const found = finds.find((find) => find.listingId === listingId || find.homeId === listingId);
    if (found) return found;
  }
  return undefined;
}

export function withFind(loaded: LoadedFinds, homeId: string, change: Partial<FoundHome>): LoadedFinds {
  if (!loaded.pages.some(({ finds }) => finds.some((find) => find.homeId === homeId))) return loaded;
  const pages = loaded.pages.map((page) =>
    page.finds.some((find) => find.homeId === homeId)
      ? {
          ...page,
          finds: page.finds.map((find) => (find.homeId === homeId ? { ...find, ...change } : find)),
        }
      : page,
  );
  return { ...loaded, pages };
}

/** Removes a home that no longer belongs to the person. */
export function withoutFind(loaded: LoadedFinds, listingId: string): LoadedFinds {
  const gone = findOf(loaded, listingId);
  if (!gone) return loaded;
  const pages = loaded.pages.map((page) => ({
    ...page,
    count: page.count === null ? null : page.count - 1,
    finds: page.finds.filter((find) => find.homeId !== gone.homeId),
  }));
  return { ...loaded, pages };
}

/** What a list ordered by time lacks of the newest page. The last home already in the list ends the new ones. */
export function newFindsOf(loaded: LoadedFinds, newest: readonly FoundHome[]): FoundHome[] {
  const isKnown = ({ homeId }: FoundHome) => findOf(loaded, homeId) !== undefined;
  const end = newest.findLastIndex(isKnown);
  return newest.slice(0, end === -1 ? newest.length : end).filter((find) => !isKnown(find));
}

/** Adds new homes before all others, newest first. */
export function withNew(loaded: LoadedFinds, fresh: readonly FoundHome[]): LoadedFinds {
  const [first, ...rest] = loaded.pages;
  if (!first) return loaded;
  const added = fresh.filter(({ homeId }) => !findOf(loaded, homeId));
  const count = first.count === null ? null : first.count + added.length;
  return { ...loaded, pages: [{ ...first, count, finds: [...added, ...first.finds] }, ...rest] };
}

/** Inserts a home at the position of its time; only for lists ordered by time. */
export function withReturned(loaded: LoadedFinds, find: FoundHome): LoadedFinds {
  const place = (page: FindPage) => page.finds.findIndex(({ foundAt }) => foundAt < find.foundAt);
  const at = loaded.pages.findIndex((page) => place(page) !== -1);
  if (at === -1) return loaded;
  const pages = loaded.pages.map((page, index) => ({
    ...page,
    count: page.count === null ? null : page.count + 1,
    finds: index === at ? page.finds.toSpliced(place(page), 0, find) : page.finds,
  }));
  return { ...loaded, pages };
}

/** Whether a home belongs in a list. Only the database can decide about its state. */
export function matchesFilter(find: FoundHome, filter: FindFilter): boolean {
  const { searchId, zone, minPriceEur, maxPriceEur } = filter;
  const isInZone = zone === undefined || find.placeId === zone || find.placeId?.startsWith(`${zone}-`);
  // Rules left it out, and no other search found it.
  const isOut = find.leftOutBy.length > 0 && find.searchIds.length === 0 && find.mark !== "kept";
  return (
    !isOut &&
    (searchId === undefined || find.searchIds.includes(searchId)) &&
    isInZone === true &&
    (minPriceEur === undefined || (find.priceEur ?? -1) >= minPriceEur) &&
    (maxPriceEur === undefined || (find.priceEur ?? Number.POSITIVE_INFINITY) <= maxPriceEur)
  );
}
