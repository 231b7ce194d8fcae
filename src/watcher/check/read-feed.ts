import type { Listing, Wording } from "#core/listing/listing.ts";
import { type Source, SourceError } from "#core/ports/source.ts";
import type { OfficialQuery } from "#core/search/official-request.ts";
import type { Search } from "#core/search/search.ts";
import { wordingOf } from "#core/warnings/wording.ts";
import type { FeedRow } from "#store/feeds/feeds.ts";
import type { SourceDefect } from "#store/feeds/source-defects.ts";
import { type NewestPage, type ReadingEnd, type ReadOptions, readNewest } from "./read-newest.ts";

const LONGEST_TEXT = 500;
const LONGEST_DESCRIPTION = 10_000;
const LONGEST_URL = 2_000;
const LONGEST_CODE = 64;

/** What the watcher may ask. A source that is not configured is left out. */
export interface WatcherSources {
  readonly official?: WatcherSource<OfficialQuery> | undefined;
  readonly byUrl?: WatcherSource<Search> | undefined;
}

export interface WatcherSource<Query> {
  readonly source: Source<Query>;
  /** The allowance; null where there is none. */
  readonly monthlyRequests: number | null;
  /** The pace its requests keep, all processes together; a little more than a second unless told. */
  readonly spacingMs?: number | undefined;
}

export type FeedReading = ReadFeed | UnreadFeed;

export interface ReadFeed {
  readonly isRead: true;
  /** Newest first, each once. */
  readonly listings: readonly Listing[];
  readonly end: Exclude<ReadingEnd, "broken-off">;
  readonly requests: number;
  readonly losses: readonly SourceDefect[];
}

export interface UnreadFeed {
  readonly isRead: false;
  readonly reason: string;
  readonly retryAfterMs: number | null;
}

/** Reads a feed to the end of what is unseen. A reading that broke off is none: it would hide what lay below. */
export async function readFeed(
  sources: WatcherSources,
  feed: Pick<FeedRow, "source" | "query">,
  options: ReadOptions,
): Promise<FeedReading> {
  const listings: Listing[] = [];
  const losses: SourceDefect[] = [];
  let requests = 0;
  let end: ReadingEnd | null = null;
  try {
    for await (const page of readPages(sources, feed, options)) {
      const usable = usableOf(page, feed);
      requests += 1;
      listings.push(...usable.listings);
      losses.push(...usable.losses);
      end = page.end;
    }
  } catch (error) {
    return failureOf(error);
  }
  if (end === null || end === "broken-off")
    return { isRead: false, reason: "broken-off", retryAfterMs: null };
  return { isRead: true, listings, end, requests, losses: summedDefects(losses) };
}

/** The pages of a feed, whatever its source. */
export function readPages(
  { official, byUrl }: WatcherSources,
  { source, query }: Pick<FeedRow, "source" | "query">,
  options: ReadOptions,
): AsyncGenerator<NewestPage> {
  if (source === "official" && official) return readNewest(official.source, query as OfficialQuery, options);
  if (source === "by-url" && byUrl) return readNewest(byUrl.source, query as Search, options);
  throw new SourceError(source, "no-source");
}

/** What of a page can be used, and what is lost of it. */
export function usableOf(page: NewestPage, { query }: Pick<FeedRow, "query">) {
  const listings: Listing[] = [];
  const losses: SourceDefect[] = page.rejected.map(({ field }) => lossOf("unread-listing", field));
  for (const listing of page.listings) {
    const clean = cleanListing(listing);
    if (clean) listings.push(clean);
    else losses.push(lossOf("unread-listing", "propertyCode"));
  }
  if (page.hasIgnoredFilters) losses.push(lossOf("filter-not-applied", filterNamesOf(query)));
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
  const clean = Object.fromEntries(entries) as unknown as Listing;
  if (clean.description === null) return clean;
  return { ...clean, description: null, wording: wordingOrNone(clean) };
}

/** Reading an advert's words must never keep its alert from going out. */
function wordingOrNone(listing: Listing): Wording {
  try {
    return wordingOf(listing);
  } catch {
    return { signs: [], textKey: null };
  }
}

/** PostgreSQL's JSON takes neither NUL nor half a character. */
function cleanText(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

function longestOf(name: string): number {
  if (name === "description") return LONGEST_DESCRIPTION;
  return name.toLowerCase().endsWith("url") ? LONGEST_URL : LONGEST_TEXT;
}

/** Places in a list are no part of a field's name. */
function lossOf(kind: SourceDefect["kind"], reason: string): SourceDefect {
  return { kind, reason: reason.replace(/\.\d+/g, ""), count: 1 };
}

function filterNamesOf(query: unknown): string {
  const { filters = [] } = query as Partial<OfficialQuery>;
  return filters.map(({ parameter }) => parameter).join(",");
}

export function summedDefects(losses: readonly SourceDefect[]): SourceDefect[] {
  const groups = Map.groupBy(losses, ({ kind, reason }) => `${kind} ${reason}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? { ...first, count: others.reduce((sum, { count }) => sum + count, first.count) } : [],
  );
}

/** What a source says where it could not look. A fault of ours is thrown again. */
export function failureOf(error: unknown): UnreadFeed {
  if (!(error instanceof SourceError)) throw error;
  return { isRead: false, reason: error.reason, retryAfterMs: error.retryAfterMs ?? null };
}
