import type { Listing } from "#core/listing.ts";
import type { Search } from "#core/search.ts";
import type { FeedRow } from "#store/feeds.ts";
import { cleanListing } from "./clean-listing.ts";
import type { OfficialQuery } from "./feed-query.ts";
import type { ListingSources, ReadOptions, ReadPage } from "./listing-source.ts";

export type FeedReading = ReadFeed | UnreadFeed;

export interface ReadFeed {
  readonly isRead: true;
  /** Newest first, each once. */
  readonly listings: readonly Listing[];
  readonly end: "caught-up" | "end-of-list" | "nothing-listed" | "gap";
  readonly requests: number;
  readonly rejected: number;
  readonly warnings: readonly unknown[];
}

export interface UnreadFeed {
  readonly isRead: false;
  readonly reason: string;
  readonly retryAfterMs: number | null;
}

/** Reads a feed to the end of what is unseen. A reading that broke off is none: it would hide what lay below. */
export async function readFeed(
  sources: ListingSources,
  feed: Pick<FeedRow, "source" | "query">,
  options: ReadOptions,
): Promise<FeedReading> {
  const order: string[] = [];
  const ordered: ReadOptions = {
    ...options,
    isSeen: (codes) => {
      order.push(...codes);
      return options.isSeen(codes);
    },
  };
  try {
    return await gather(readPages(sources, feed, ordered), order);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return failure;
  }
}

/** The pages of a feed, whatever its source; none where the source is not there. */
export async function* readPages(
  { official, byUrl }: ListingSources,
  { source, query }: Pick<FeedRow, "source" | "query">,
  options: ReadOptions,
): AsyncGenerator<ReadPage> {
  const pages =
    source === "official"
      ? official?.read(query as OfficialQuery, options)
      : byUrl?.read(query as Search, options);
  if (!pages)
    throw Object.assign(new Error(`No source for ${source}`), { name: "SourceError", reason: "no-source" });
  yield* pages;
}

/** What of a page the database can hold. */
export function cleanPage({ fresh, known, rejected }: ReadPage): { listings: Listing[]; rejected: number } {
  const listings = [...fresh, ...known].flatMap((listing) => cleanListing(listing) ?? []);
  return { listings, rejected: rejected.length + fresh.length + known.length - listings.length };
}

async function gather(pages: AsyncIterable<ReadPage>, order: readonly string[]): Promise<FeedReading> {
  const listings = new Map<string, Listing>();
  const warnings: unknown[] = [];
  let requests = 0;
  let rejected = 0;
  let end: ReadPage["end"] = null;
  for await (const page of pages) {
    const clean = cleanPage(page);
    requests += 1;
    rejected += clean.rejected;
    warnings.push(...page.warnings);
    for (const listing of clean.listings) listings.set(listing.propertyCode, listing);
    end = page.end;
  }
  if (end === null || end === "broken-off")
    return { isRead: false, reason: "broken-off", retryAfterMs: null };
  // Pages tell new and known apart; the order in which they were asked about is the portal's.
  const inOrder = [...new Set(order)].flatMap((code) => listings.get(code) ?? []);
  return { isRead: true, listings: inOrder, end, requests, rejected, warnings };
}

/** What a source says where it could not look; undefined where it is a fault of ours. */
export function failureOf(error: unknown): UnreadFeed | undefined {
  if (!(error instanceof Error) || error.name !== "SourceError") return undefined;
  const { reason, retryAfterMs } = error as { reason?: unknown; retryAfterMs?: unknown };
  return {
    isRead: false,
    reason: typeof reason === "string" ? reason : "unreachable",
    retryAfterMs: typeof retryAfterMs === "number" ? retryAfterMs : null,
  };
}
