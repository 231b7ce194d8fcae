/**
 * Who looks for what, in memory, by feed. An index is a copy and may be behind: it must be brought to its feed's
 * revision, with the feed locked, before a listing is called nobody's. It may also hold searches that left; whoever
 * writes asks the database which of the found ones are still there. A check asks the index it was handed and no other:
 * what is forgotten beside it, it still holds.
 */

import type { Listing } from "#core/listing/listing.ts";
import { createFilterIndex } from "#core/matching/filter-index.ts";
import type { Search } from "#core/search/search.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import type { Db } from "#store/connection/json-parameter.ts";
import { readSearchesSince } from "#store/feeds/searches.ts";

export interface FeedIndex {
  /** Filters a listing of this feed may be for. */
  find(listing: Listing): string[];
}

export interface FeedIndexes {
  /** The feed's index, brought to a revision. */
  at(db: Db, feed: { key: string; source: string; revision: number }): Promise<FeedIndex>;
  /** Copies of searches that left are dropped when the feed is next needed. */
  forget(): void;
}

interface HeldIndex extends FeedIndex {
  revision: number;
  put(filterId: string, search: Search): void;
}

export function createFeedIndexes(): FeedIndexes {
  const feeds = new Map<string, HeldIndex>();
  return {
    async at(db, { key, source, revision }) {
      const held = feeds.get(key) ?? (source === "by-url" ? everyoneIndex() : matchingIndex());
      if (held.revision < revision) {
        for (const { filterId, searchKey } of await readSearchesSince(db, key, held.revision)) {
          const search = searchOf(searchKey);
          if (search) held.put(filterId, search);
        }
        held.revision = revision;
        feeds.set(key, held);
      }
      return held;
    },
    forget: () => feeds.clear(),
  };
}

/** The portal itself applied every filter of the link. */
function everyoneIndex(): HeldIndex {
  const everyone = new Set<string>();
  return {
    revision: -1,
    put: (filterId) => void everyone.add(filterId),
    find: () => [...everyone],
  };
}

function matchingIndex(): HeldIndex {
  const index = createFilterIndex<string>();
  return {
    revision: -1,
    put: (filterId, search) => index.put(filterId, search),
    find: (listing) => index.find(listing),
  };
}

/** Search keys are links of our own writing. */
export function searchOf(searchKey: string): Search | undefined {
  const parsed = parseSearchUrl(searchKey);
  return parsed.ok ? parsed.search : undefined;
}
