/**
 * Who looks for what, in memory, by feed. An index is a copy and may be behind: it must be brought to its feed's
 * revision, with the feed locked, before a listing is called nobody's. It may also hold searches that left; whoever
 * writes asks the database which of the found ones are still there.
 */
import { createFilterIndex, type FilterIndex } from "#core/filter-index.ts";
import type { Listing } from "#core/listing.ts";
import { parseSearchUrl } from "#core/parse-search-url.ts";
import type { Search } from "#core/search.ts";
import type { Db } from "#store/json-parameter.ts";
import { readSearchesSince } from "#store/searches.ts";

interface FeedIndex {
  revision: number;
  readonly index: FilterIndex<string>;
  readonly everyone: Set<string>;
}

export interface FeedIndexes {
  /** Brings the feed's index to a revision. */
  sync(db: Db, feedKey: string, revision: number): Promise<void>;
  /** Filters a listing of this feed may be for. */
  find(feed: { key: string; source: string }, listing: Listing): string[];
  /** Copies of searches that left are dropped when the feed is next needed. */
  forget(): void;
  readonly size: number;
}

export function createFeedIndexes(): FeedIndexes {
  const feeds = new Map<string, FeedIndex>();
  return {
    async sync(db, feedKey, revision) {
      const held = feeds.get(feedKey) ?? {
        revision: -1,
        index: createFilterIndex<string>(),
        everyone: new Set(),
      };
      if (held.revision >= revision) return;
      for (const { filterId, searchKey } of await readSearchesSince(db, feedKey, held.revision)) {
        const search = searchOf(searchKey);
        if (!search) continue;
        if (feedKey.startsWith("by-url ")) held.everyone.add(filterId);
        else held.index.put(filterId, search);
      }
      held.revision = revision;
      feeds.set(feedKey, held);
    },
    find({ key, source }, listing) {
      const held = feeds.get(key);
      if (!held) return [];
      // The portal itself applied every filter of the link.
      if (source === "by-url") return [...held.everyone];
      return held.index.find(listing);
    },
    forget: () => feeds.clear(),
    get size() {
      return [...feeds.values()].reduce((sum, { index, everyone }) => sum + index.size + everyone.size, 0);
    },
  };
}

/** Search keys are links of our own writing. */
export function searchOf(searchKey: string): Search | undefined {
  const parsed = parseSearchUrl(searchKey);
  return parsed.ok ? parsed.search : undefined;
}
