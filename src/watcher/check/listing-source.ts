import type { Listing } from "#core/listing/listing.ts";
import type { Search } from "#core/search/search.ts";
import type { OfficialQuery } from "../plan/feed-query.ts";

/**
 * Where listings come from, as the watcher needs it. What reads pages newest first until nothing is unseen fits as it
 * is; a failure to look is thrown, named "SourceError", with a reason and perhaps a time to wait.
 */
export interface ListingSource<Query> {
  read(query: Query, options: ReadOptions): AsyncIterable<ReadPage>;
  /** The allowance; null where there is none. */
  readonly monthlyRequests: number | null;
  /** The pace its requests keep, all processes together; a little more than a second unless told. */
  readonly spacingMs?: number | undefined;
}

export interface ReadOptions {
  readonly isSeen: (propertyCodes: readonly string[]) => Promise<ReadonlySet<string>>;
  /** 1 unless told. */
  readonly firstPage?: number;
  readonly maxPages: number;
  readonly signal: AbortSignal;
}

export interface ReadPage {
  readonly number: number;
  readonly fresh: readonly Listing[];
  readonly known: readonly Listing[];
  /** What could not be read, each by the field at fault. */
  readonly rejected: readonly { readonly field: string }[];
  /** One for each answer to more than was asked for. */
  readonly warnings: readonly { readonly type: "filters-not-applied" }[];
  readonly end: "caught-up" | "end-of-list" | "nothing-listed" | "broken-off" | "gap" | null;
}

export interface ListingSources {
  readonly official?: ListingSource<OfficialQuery> | undefined;
  readonly byUrl?: ListingSource<Search> | undefined;
}
