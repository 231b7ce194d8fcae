import type { Listing, Wording } from "#core/listing/listing.ts";
import { type Source, SourceError } from "#core/ports/source.ts";
import type { OfficialQuery } from "#core/search/official-request.ts";
import type { Search } from "#core/search/search.ts";
import { wordingOf } from "#core/warnings/wording.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import type { SourceDefect } from "../rows/feeds/source-defects.ts";
import { type NewestPage, type ReadingEnd, type ReadOptions, readNewest } from "./read-newest.ts";

const LONGEST_TEXT = 500;
const LONGEST_DESCRIPTION = 10_000;
const LONGEST_URL = 2_000;
const LONGEST_CODE = 64;

/** The sources of the watcher. One that is not configured is left out. */
export interface WatcherSources {
  readonly official?: WatcherSource<OfficialQuery> | undefined;
  readonly byUrl?: WatcherSource<Search> | undefined;
}

export interface WatcherSource<Query> {
  readonly source: Source<Query>;
  /** The monthly quota; null if unlimited. */
  readonly monthlyRequests: number | null;
  /** The time between requests of all processes together; by default a little more than a second. */
  readonly spacingMs?: number | undefined;
}

export type FeedReading = ReadFeed | UnreadFeed;

export interface ReadFeed {
  readonly isRead: true;
  /** Newest first, each once. */
  readonly listings: readonly Listing[];
  readonly end: Exclude<ReadingEnd, "broken-off">;
  readonly requests: number;
  /** How many listings the source says that it has. */
  readonly total: number;
  readonly defects: readonly SourceDefect[];
}

export interface UnreadFeed {
  readonly isRead: false;
  readonly reason: string;
  readonly retryAfterMs: number | null;
}

/** Reads a feed until it connects to what is remembered. A reading that broke off counts as failed: it would hide what lies below. */
export async function readFeed(
  sources: WatcherSources,
  feed: Pick<FeedRow, "source" | "query">,
  {
    onPage,
    ...options
  }: ReadOptions & {
    /** Called with the listings of each page after which there is more to read. */
    readonly onPage?: ((listings: readonly Listing[]) => Promise<void>) | undefined;
  },
): Promise<FeedReading> {
  const listings: Listing[] = [];
  const defects: SourceDefect[] = [];
  let requests = 0;
  let total = 0;
  let end: ReadingEnd | null = null;
  try {
    for await (const page of readPages(sources, feed, options)) {
      const usable = usableOf(page, feed);
      requests += 1;
      total = page.total;
      listings.push(...usable.listings);
      defects.push(...usable.defects);
      end = page.end;
      if (end === null) await onPage?.(usable.listings);
    }
  } catch (error) {
    return failureOf(error);
  }
  if (end === null || end === "broken-off")
    return { isRead: false, reason: "broken-off", retryAfterMs: null };
  return { isRead: true, listings, end, requests, total, defects: summedDefects(defects) };
}

export function readPages(
  { official, byUrl }: WatcherSources,
  { source, query }: Pick<FeedRow, "source" | "query">,
  options: ReadOptions,
): AsyncGenerator<NewestPage> {
  if (source === "official" && official) return readNewest(official.source, query as OfficialQuery, options);
  if (source === "by-url" && byUrl) return readNewest(byUrl.source, query as Search, options);
  throw new SourceError(source, "no-source");
}

/** The usable listings of a page, and the defects of the rest. */
export function usableOf(page: NewestPage, { query }: Pick<FeedRow, "query">) {
  const listings: Listing[] = [];
  const defects: SourceDefect[] = page.rejected.map(({ field }) => defectOf("unread-listing", field));
  for (const listing of page.listings) {
    const clean = cleanListing(listing);
    if (!clean) defects.push(defectOf("unread-listing", "propertyCode"));
    else if (clean.description === null) listings.push(clean);
    else {
      const wording = wordingIn(clean);
      if (!wording) defects.push(defectOf("unread-listing", "description"));
      listings.push({ ...clean, description: null, wording: wording ?? NO_WORDING });
    }
  }
  if (page.hasIgnoredFilters) defects.push(defectOf("filter-not-applied", filterNamesOf(query)));
  return { listings, defects };
}

/**
 * A listing that the database can store: one malformed advert must not prevent the commit of a whole feed. Undefined if it
 * has no valid code or price.
 */
function cleanListing(listing: Listing): Listing | undefined {
  const { propertyCode, priceEur } = listing;
  if (propertyCode === "" || propertyCode.length > LONGEST_CODE || cleanText(propertyCode) !== propertyCode) {
    return undefined;
  }
  if (!Number.isFinite(priceEur)) return undefined;
  const entries = Object.entries(listing).map(([name, value]) =>
    typeof value === "string" ? [name, cleanText(value).slice(0, longestOf(name))] : [name, value],
  );
  return Object.fromEntries(entries) as unknown as Listing;
}

const NO_WORDING: Wording = { warnings: [], textKey: null };

/** Undefined if the advert's text cannot be read, which must not stop its alert. */
function wordingIn(listing: Listing): Wording | undefined {
  try {
    return wordingOf(listing);
  } catch {
    return undefined;
  }
}

/** PostgreSQL's JSON accepts neither NUL nor lone surrogates. */
function cleanText(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

function longestOf(name: string): number {
  if (name === "description") return LONGEST_DESCRIPTION;
  return name.toLowerCase().endsWith("url") ? LONGEST_URL : LONGEST_TEXT;
}

/** List indexes are not part of a field's name. */
function defectOf(kind: SourceDefect["kind"], reason: string): SourceDefect {
  return { kind, reason: reason.replace(/\.\d+/g, ""), count: 1 };
}

function filterNamesOf(query: unknown): string {
  const { filters = [] } = query as Partial<OfficialQuery>;
  return filters.map(({ parameter }) => parameter).join(",");
}

export function summedDefects(defects: readonly SourceDefect[]): SourceDefect[] {
  const groups = Map.groupBy(defects, ({ kind, reason }) => `${kind} ${reason}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? { ...first, count: others.reduce((sum, { count }) => sum + count, first.count) } : [],
  );
}

/** The reason of a SourceError. Other errors are rethrown. */
export function failureOf(error: unknown): UnreadFeed {
  if (!(error instanceof SourceError)) throw error;
  return { isRead: false, reason: error.reason, retryAfterMs: error.retryAfterMs ?? null };
}
