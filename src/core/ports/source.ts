import type { Listing } from "../listing/listing.ts";

/**
 * Where listings come from. A source answers one page of one question, newest first, or throws a
 * SourceError that says why it could not. It knows no database, no filter of a person and no chat.
 */
export interface Source<Query> {
  readonly name: string;
  readPage(query: Query, window: PageWindow, signal?: AbortSignal): Promise<SourcePage>;
}

/** Page `number` (from 1) of pages of `size`: the listings from (number - 1) × size on. */
export interface PageWindow {
  readonly number: number;
  readonly size: number;
}

export interface SourcePage {
  readonly listings: readonly Listing[];
  /** Elements of the answer that could not be read; the others are not lost with them. */
  readonly rejected: readonly Rejection[];
  /** How many listings the source says the question has in all. */
  readonly total: number;
  readonly warnings: readonly SourceWarning[];
}

export interface Rejection {
  /** Null where the code itself was missing. */
  readonly propertyCode: string | null;
  /** The field at fault, dotted. */
  readonly field: string;
  readonly problem: string;
}

/** The source ignored a filter: its answer may hold listings that were not asked for. */
export interface SourceWarning {
  readonly type: "filters-not-applied";
  readonly sent: number;
  readonly applied: number;
}

/** No source gives more in one page. */
export const MAX_PAGE_SIZE = 50;
