import type { Listing } from "#core/listing.ts";
import type { Search } from "#core/search.ts";
import type { FeedRow } from "#store/feeds.ts";
import { cleanListing } from "./clean-listing.ts";
import type { OfficialQuery } from "./feed-query.ts";
import type { ListingSources, ReadOptions, ReadPage } from "./listing-source.ts";

export type FeedReading =
  | {
      readonly isRead: true;
      /** Newest first, each once. */
      readonly listings: readonly Listing[];
      readonly end: "caught-up" | "end-of-list" | "nothing-listed" | "gap";
      readonly requests: number;
      readonly rejected: number;
      readonly warnings: readonly unknown[];
    }
  | { readonly isRead: false; readonly reason: string; readonly retryAfterMs: number | null };

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
  const pages = pagesOf(sources, feed, ordered);
  if (!pages) return { isRead: false, reason: "no-source", retryAfterMs: null };
  try {
    return await gather(pages, order);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return failure;
  }
}

function pagesOf(
  { official, byUrl }: ListingSources,
  { source, query }: Pick<FeedRow, "source" | "query">,
  options: ReadOptions,
): AsyncIterable<ReadPage> | undefined {
  return source === "official"
    ? official?.read(query as OfficialQuery, options)
    : byUrl?.read(query as Search, options);
}

async function gather(pages: AsyncIterable<ReadPage>, order: readonly string[]): Promise<FeedReading> {
  const listings = new Map<string, Listing>();
  const warnings: unknown[] = [];
  let requests = 0;
  let rejected = 0;
  let end: ReadPage["end"] = null;
  for await (const page of pages) {
    requests += 1;
    rejected += page.rejected.length;
    warnings.push(...page.warnings);
    for (const listing of [...page.fresh, ...page.known].map(cleanListing)) {
      if (listing) listings.set(listing.propertyCode, listing);
      else rejected += 1;
    }
    end = page.end;
  }
  if (end === null || end === "broken-off")
    return { isRead: false, reason: "broken-off", retryAfterMs: null };
  // Pages tell new and known apart; the order in which they were asked about is the portal's.
  const inOrder = [...new Set(order)].flatMap((code) => listings.get(code) ?? []);
  return { isRead: true, listings: inOrder, end, requests, rejected, warnings };
}

function failureOf(error: unknown): FeedReading | undefined {
  if (!(error instanceof Error) || error.name !== "SourceError") return undefined;
  const { reason, retryAfterMs } = error as { reason?: unknown; retryAfterMs?: unknown };
  return {
    isRead: false,
    reason: typeof reason === "string" ? reason : "unreachable",
    retryAfterMs: typeof retryAfterMs === "number" ? retryAfterMs : null,
  };
}
