import type { Listing } from "#core/listing/listing.ts";
import type { Search } from "#core/search/search.ts";
import type { FeedRow } from "#store/feeds/feeds.ts";
import type { Loss } from "#store/outbox/losses.ts";
import type { OfficialQuery } from "../plan/feed-query.ts";
import type { ListingSources, ReadOptions, ReadPage } from "./listing-source.ts";

const LONGEST_TEXT = 500;
const LONGEST_URL = 2_000;
const LONGEST_CODE = 64;

export type FeedReading = ReadFeed | UnreadFeed;

export interface ReadFeed {
  readonly isRead: true;
  /** Newest first, each once. */
  readonly listings: readonly Listing[];
  readonly end: "caught-up" | "end-of-list" | "nothing-listed" | "gap";
  readonly requests: number;
  readonly losses: readonly Loss[];
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
    return await gather(readPages(sources, feed, ordered), feed, order);
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

export interface CleanPage {
  readonly listings: readonly Listing[];
  readonly losses: readonly Loss[];
}

/** What of a page can be used, and what is lost of it. */
export function cleanPage(page: ReadPage, { query }: Pick<FeedRow, "query">): CleanPage {
  const listings: Listing[] = [];
  const losses: Loss[] = page.rejected.map(({ field }) => lossOf("unread-listing", field));
  for (const listing of [...page.fresh, ...page.known]) {
    const clean = cleanListing(listing);
    if (clean) listings.push(clean);
    else losses.push(lossOf("unread-listing", "propertyCode"));
  }
  for (const _ of page.warnings) losses.push(lossOf("filter-not-applied", filterNamesOf(query)));
  return { listings, losses };
}

/**
 * A listing that the database can hold: whatever an advertiser wrote, one advert must not keep a whole feed from being
 * committed. Undefined where even its code is no code.
 */
export function cleanListing(listing: Listing): Listing | undefined {
  const { propertyCode, priceEur } = listing;
  if (propertyCode === "" || propertyCode.length > LONGEST_CODE || cleanText(propertyCode) !== propertyCode) {
    return undefined;
  }
  if (!Number.isFinite(priceEur)) return undefined;
  const entries = Object.entries(listing).map(([name, value]) =>
    typeof value === "string" ? [name, cleanText(value).slice(0, longestOf(name))] : [name, value],
  );
  return { ...Object.fromEntries(entries), description: null } as Listing;
}

/** PostgreSQL's JSON takes neither NUL nor half a character. */
function cleanText(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

function longestOf(name: string): number {
  return name.toLowerCase().endsWith("url") ? LONGEST_URL : LONGEST_TEXT;
}

/** Places in a list are no part of a field's name. */
function lossOf(kind: Loss["kind"], reason: string): Loss {
  return { kind, reason: reason.replace(/\.\d+/g, ""), count: 1 };
}

function filterNamesOf(query: unknown): string {
  const { filters = [] } = query as Partial<OfficialQuery>;
  return filters.map(({ parameter }) => parameter).join(",");
}

export function summedLosses(losses: readonly Loss[]): Loss[] {
  const groups = Map.groupBy(losses, ({ kind, reason }) => `${kind} ${reason}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? { ...first, count: others.reduce((sum, { count }) => sum + count, first.count) } : [],
  );
}

async function gather(
  pages: AsyncIterable<ReadPage>,
  feed: Pick<FeedRow, "query">,
  order: readonly string[],
): Promise<FeedReading> {
  const listings = new Map<string, Listing>();
  const losses: Loss[] = [];
  let requests = 0;
  let end: ReadPage["end"] = null;
  for await (const page of pages) {
    const clean = cleanPage(page, feed);
    requests += 1;
    losses.push(...clean.losses);
    for (const listing of clean.listings) listings.set(listing.propertyCode, listing);
    end = page.end;
  }
  if (end === null || end === "broken-off")
    return { isRead: false, reason: "broken-off", retryAfterMs: null };
  // Pages tell new and known apart; the order in which they were asked about is the portal's.
  const inOrder = [...new Set(order)].flatMap((code) => listings.get(code) ?? []);
  return { isRead: true, listings: inOrder, end, requests, losses: summedLosses(losses) };
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
