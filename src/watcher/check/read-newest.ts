import type { Listing } from "#core/listing/listing.ts";
import { MAX_PAGE_SIZE, type PageWindow, type Source, type SourcePage } from "#core/ports/source.ts";

export interface ReadOptions {
  /** Whether what was read so far, newest first, reaches what is remembered. `total`: of the list, as the source says. */
  readonly connects: (
    codes: readonly string[],
    total: number,
    listings: readonly Listing[],
  ) => Promise<boolean>;
  /** For a reading that continues an earlier one; 1 by default. */
  readonly firstPage?: number;
  /** The most requests. Reaching it without a connection is the end "gap". */
  readonly maxPages: number;
  readonly signal?: AbortSignal;
}

/** Its listings are in the portal's order, without those already returned on an earlier page. */
export interface NewestPage extends SourcePage {
  readonly number: number;
  /** Null while there is more to read; on the last page, why it is the last. */
  readonly end: ReadingEnd | null;
}

export type ReadingEnd =
  | "caught-up"
  | "end-of-list"
  /** The source reports an empty list. It may be true or an error of the source; it is never "caught-up". */
  | "nothing-listed"
  /** A later page was empty although the one before announced more. The next reading must go as deep again. */
  | "broken-off"
  /** The page limit was reached: listings between here and the last reading were not read. */
  | "gap";

/**
 * Reads a source newest first until the list connects to what is remembered.
 *
 * The list moves while it is read. New listings push others down to the next page: these are read twice and returned once.
 * Removed listings pull others up, across the boundary between a page that was read and the next one: these would be missed.
 * So each of the first pages overlaps the one before it (the second by one listing, the third by two, …), and if that may
 * not have been enough, the reading goes back one page.
 */
export async function* readNewest<Query>(
  source: Source<Query>,
  query: Query,
  options: ReadOptions,
): AsyncGenerator<NewestPage, void> {
  const met = new Set<string>();
  const listings: Listing[] = [];
  let before: Reading | undefined;
  let number = options.firstPage ?? 1;
  for (let requests = 1; ; requests += 1) {
    const page = await source.readPage(query, windowOf(number), options.signal);
    const unmet = unmetOf(page, met);
    listings.push(...unmet);
    const reading = { number, page, isConnected: await options.connects([...met], page.total, listings) };
    const step = nextStep(reading, before);
    const end = step.end ?? (requests >= options.maxPages ? "gap" : null);
    yield { ...page, listings: unmet, number, end };
    if (end !== null) return;
    number = step.number;
    before = reading;
  }
}

interface Step {
  readonly end: ReadingEnd | null;
  readonly number: number;
}

function nextStep(reading: Reading, before: Reading | undefined): Step {
  const number = reading.number + 1;
  if (countOf(reading) === 0) {
    return { end: before === undefined ? "nothing-listed" : "broken-off", number };
  }
  if (before && reading.number < before.number) return { end: null, number };
  if (before && mayHaveSlipped(before, reading)) return { end: null, number: before.number };
  return { end: endOf(reading), number };
}

const SMALLEST_PAGE = 46;

/** Pages of 50, 49, 48, 47 and then 46: page n begins n - 1 listings before the previous page ends. */
function windowOf(number: number): PageWindow {
  return { number, size: Math.max(SMALLEST_PAGE, MAX_PAGE_SIZE + 1 - number) };
}

function overlapBefore(number: number): number {
  return (number - 1) * (windowOf(number - 1).size - windowOf(number).size);
}

interface Reading {
  readonly number: number;
  readonly page: SourcePage;
  readonly isConnected: boolean;
}

/** The listings of the page that were not on an earlier one. They are added to the met ones. */
function unmetOf(page: SourcePage, met: Set<string>): Listing[] {
  const byCode = new Map(page.listings.map((listing) => [listing.propertyCode, listing]));
  return [...byCode.values()].filter(({ propertyCode }) => met.size < met.add(propertyCode).size);
}

/**
 * A listing can only slip across the boundary of two pages if more listings above it were removed than added, and then the
 * total has decreased. It cannot if the second page begins with a listing of the first.
 */
function mayHaveSlipped(before: Reading, after: Reading): boolean {
  const first = after.page.listings[0]?.propertyCode;
  const isJoined = before.page.listings.some(({ propertyCode }) => propertyCode === first);
  const fall = before.page.total - after.page.total;
  return !isJoined && fall > overlapBefore(after.number);
}

function endOf(reading: Reading): ReadingEnd | null {
  const { number, page } = reading;
  if ((number - 1) * windowOf(number).size + countOf(reading) >= page.total) return "end-of-list";
  return reading.isConnected ? "caught-up" : null;
}

function countOf({ page }: Pick<Reading, "page">): number {
  return page.listings.length + page.rejected.length;
}
