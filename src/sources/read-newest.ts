import type { Listing } from "#core/listing/listing.ts";
import {
  MAX_PAGE_SIZE,
  type PageWindow,
  type Rejection,
  type Source,
  type SourcePage,
  type SourceWarning,
} from "#core/ports/source.ts";

interface ReadNewestOptions<Query> {
  readonly source: Source<Query>;
  readonly query: Query;
  /** Which of these codes an earlier reading of the same question has seen. */
  readonly isSeen: (propertyCodes: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * Which of these seen codes came in a reading that broke off. They are not fresh again, but they do not
   * end this reading either: what lay below them was never read. Whoever records page by page must say;
   * whoever records whole readings has none.
   */
  readonly isUnsettled?: (propertyCodes: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Where to begin, for a reading that goes on with another one; 1 unless told. */
  readonly firstPage?: number;
  /** Requests at most; reaching it with unseen listings left over is the end "gap". */
  readonly maxPages: number;
  readonly signal?: AbortSignal;
}

export interface NewestPage {
  readonly number: number;
  /** Not seen before, neither by an earlier check nor on an earlier page. Newest first. */
  readonly fresh: readonly Listing[];
  /** Seen by an earlier check, as they are now: a price may have changed. */
  readonly known: readonly Listing[];
  readonly rejected: readonly Rejection[];
  readonly warnings: readonly SourceWarning[];
  readonly total: number;
  /** Null while there is more to read; the last page says why it is the last. */
  readonly end: ReadingEnd | null;
}

export type ReadingEnd =
  /** A page held nothing unseen. */
  | "caught-up"
  /** The list itself ended. */
  | "end-of-list"
  /** The source says there is nothing at all. It may be so, or a slip of the source; it is never "caught up". */
  | "nothing-listed"
  /** A later page came empty though the one before promised more: the next reading must go as deep again. */
  | "broken-off"
  /** The page limit came first: listings between here and the last reading were not read. */
  | "gap";

/**
 * Reads a source newest first until a page holds nothing unseen.
 *
 * The list moves while it is read. Arrivals push listings down, onto the next page: they are met twice and
 * told once. Departures pull listings up, over the edge between a page read and a page to come: they would
 * be missed. So each of the first pages reaches back over the one before it (the second by one listing, the
 * third by two, …), and where that may not have been enough the reading steps back a page.
 */
export async function* readNewest<Query>(
  options: ReadNewestOptions<Query>,
): AsyncGenerator<NewestPage, void> {
  const met: Met = new Map();
  let before: Reading | undefined;
  let number = options.firstPage ?? 1;
  for (let requests = 1; ; requests += 1) {
    const reading = await readWindow(options, number, met);
    const step = nextStep(reading, before);
    const end = step.end ?? (requests >= options.maxPages ? "gap" : null);
    const { rejected, warnings, total } = reading.page;
    yield { number, fresh: reading.fresh, known: reading.known, rejected, warnings, total, end };
    if (end !== null) {
      return;
    }
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
  if (before === undefined) {
    return { end: endOf(reading), number };
  }
  if (reading.number < before.number) {
    return { end: null, number };
  }
  return mayHaveSlipped(before, reading)
    ? { end: null, number: before.number }
    : { end: endOf(reading), number };
}

const SMALLEST_PAGE = 46;

/** Pages of 50, 49, 48, 47 and then 46: page n begins n - 1 listings before the page above it ends. */
export function windowOf(number: number): PageWindow {
  return { number, size: Math.max(SMALLEST_PAGE, MAX_PAGE_SIZE + 1 - number) };
}

function overlapBefore(number: number): number {
  return (number - 1) * (windowOf(number - 1).size - windowOf(number).size);
}

/** What this reading has met: "open" what is new or unsettled, "settled" what a finished reading has seen. */
type Met = Map<string, "open" | "settled">;

interface Reading {
  readonly number: number;
  readonly page: SourcePage;
  readonly fresh: readonly Listing[];
  readonly known: readonly Listing[];
  /** Its last listing is not one of a finished reading: there may be more below. */
  readonly endsOpen: boolean;
  readonly isSettled: boolean;
}

async function readWindow<Query>(
  options: ReadNewestOptions<Query>,
  number: number,
  met: Met,
): Promise<Reading> {
  const page = await options.source.readPage(options.query, windowOf(number), options.signal);
  const unmet = [
    ...new Map(
      page.listings
        .filter(({ propertyCode }) => !met.has(propertyCode))
        .map((listing) => [listing.propertyCode, listing]),
    ).values(),
  ];
  const seen = await options.isSeen(unmet.map(codeOf));
  const known = unmet.filter((listing) => seen.has(listing.propertyCode));
  const unsettled = await options.isUnsettled?.(known.map(codeOf));
  for (const { propertyCode } of unmet) {
    const isOpen = !seen.has(propertyCode) || unsettled?.has(propertyCode);
    met.set(propertyCode, isOpen ? "open" : "settled");
  }
  const stateOf = (listing: Listing | undefined) => met.get(listing?.propertyCode ?? "");
  return {
    number,
    page,
    fresh: unmet.filter((listing) => !seen.has(listing.propertyCode)),
    known,
    endsOpen: stateOf(page.listings.at(-1)) === "open",
    // A page of nothing but listings met a moment ago says only that many arrived meanwhile.
    isSettled:
      unmet.every((listing) => stateOf(listing) === "settled") &&
      page.listings.some((listing) => stateOf(listing) === "settled"),
  };
}

function codeOf(listing: Listing): string {
  return listing.propertyCode;
}

/**
 * A listing slips over the edge between two pages only if more left above it than came, and then the total
 * fell; never where the second page begins with one of the first. What slips is older than the last one
 * before the edge: if that one was known, so is what slipped.
 */
function mayHaveSlipped(before: Reading, after: Reading): boolean {
  const first = after.page.listings[0]?.propertyCode;
  const isJoined = before.page.listings.some(({ propertyCode }) => propertyCode === first);
  const fall = before.page.total - after.page.total;
  return before.endsOpen && !isJoined && fall > overlapBefore(after.number);
}

function endOf(reading: Reading): ReadingEnd | null {
  const { number, page } = reading;
  if ((number - 1) * windowOf(number).size + countOf(reading) >= page.total) {
    return "end-of-list";
  }
  return reading.isSettled ? "caught-up" : null;
}

function countOf({ page }: Reading): number {
  return page.listings.length + page.rejected.length;
}
