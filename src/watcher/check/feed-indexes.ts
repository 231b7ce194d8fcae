/**
 * The searches of each feed, indexed in memory. An index is a copy and may be outdated: before matching, it must be brought
 * to its feed's revision with the feed locked. It may still contain removed searches, so the statement that writes alerts
 * asks the database which searches exist. A check keeps using the index it was given; `forget()` may drop it from the
 * cache meanwhile.
 */
import { createFilterIndex, type FilterIndex } from "#core/matching/filter-index.ts";
import type { Search } from "#core/search/search.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import { readSearchesSince } from "../rows/feeds/searches.ts";

/** Finds the filters that a listing of a feed may match. */
export interface FeedIndex extends Pick<FilterIndex<string>, "find"> {
  put(search: { readonly filterId: string; readonly searchKey: string }): void;
}

export interface FeedIndexes {
  at(db: Db, feed: Pick<FeedRow, "key" | "source" | "revision">): Promise<FeedIndex>;
  /** Drops all indexes, and with them the removed searches. They are rebuilt when needed. */
  forget(): void;
}

export function createFeedIndexes(): FeedIndexes {
  const feeds = new Map<string, { readonly index: FeedIndex; revision: number }>();
  return {
    async at(db, { key, source, revision }) {
      const held = feeds.get(key) ?? { index: createFeedIndex(source), revision: -1 };
      if (held.revision < revision) {
        for await (const page of readSearchesSince(db, key, held.revision)) {
          for (const search of page) held.index.put(search);
        }
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
    // The portal has applied all filters of the link.
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

/** Search keys are canonical links. */
export function searchOfKey(searchKey: string): Search | undefined {
  const parsed = parseSearchUrl(searchKey);
  return parsed.ok ? parsed.search : undefined;
}
