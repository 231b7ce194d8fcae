/**
 * Who looks for what, in memory, by feed. An index is a copy and may be behind: it must be brought to its feed's
 * revision, with the feed locked, before a listing is called nobody's. It may also hold searches that left; whoever
 * writes asks the database which of the found ones are still there. A check asks the index it was handed and no other:
 * what is forgotten beside it, it still holds.
 */
import { createFilterIndex, type FilterIndex } from "#core/matching/filter-index.ts";
import type { Search } from "#core/search/search.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "#store/feeds/feeds.ts";
import { readSearchesSince } from "#store/feeds/searches.ts";

/** Finds the filters a listing of a feed may be for. */
export interface FeedIndex extends Pick<FilterIndex<string>, "find"> {
  put(search: { readonly filterId: string; readonly searchKey: string }): void;
}

export interface FeedIndexes {
  /** The feed's index, brought to its revision. */
  at(db: Db, feed: Pick<FeedRow, "key" | "source" | "revision">): Promise<FeedIndex>;
  /** Copies of searches that left are dropped when the feed is next needed. */
  forget(): void;
}

export function createFeedIndexes(): FeedIndexes {
  const feeds = new Map<string, { readonly index: FeedIndex; revision: number }>();
  return {
    async at(db, { key, source, revision }) {
      const held = feeds.get(key) ?? { index: createFeedIndex(source), revision: -1 };
      if (held.revision < revision) {
        for (const search of await readSearchesSince(db, key, held.revision)) held.index.put(search);
        held.revision = revision;
        feeds.set(key, held);
      }
      return held.index;
    },
    forget: () => feeds.clear(),
  };
}

export function createFeedIndex(source: FeedRow["source"]): FeedIndex {
  if (source === "by-url") {
    // The portal itself applied every filter of the link.
    const everyone = new Set<string>();
    return { put: ({ filterId }) => void everyone.add(filterId), find: () => [...everyone] };
  }
  const index = createFilterIndex<string>();
  return {
    put: ({ filterId, searchKey }) => {
      const search = searchOfKey(searchKey);
      if (search) index.put(filterId, search);
    },
    find: (listing) => index.find(listing),
  };
}

/** Search keys are links of our own writing. */
export function searchOfKey(searchKey: string): Search | undefined {
  const parsed = parseSearchUrl(searchKey);
  return parsed.ok ? parsed.search : undefined;
}
