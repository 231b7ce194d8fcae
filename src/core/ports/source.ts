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
  /** The answer may hold listings that were not asked for. */
  readonly hasIgnoredFilters: boolean;
}

export interface Rejection {
  /** The field at fault, dotted. */
  readonly field: string;
  readonly problem: string;
}

/** No source gives more in one page. */
export const MAX_PAGE_SIZE = 50;

export type SourceErrorReason =
  /** None is configured that could be asked. */
  | "no-source"
  /** Key or secret are wrong, or the subscription ended. Nothing will work until someone acts. */
  | "refused-credentials"
  /** The month's requests are used up, at the provider or in our own budget. */
  | "quota-spent"
  /** Too fast; the same request will do after `retryAfterMs`. */
  | "rate-limited"
  /** The provider does not know the place asked for. */
  | "not-found"
  /** The provider says the request itself is wrong: a mistake of ours. */
  | "refused-request"
  /** The provider failed and says so. */
  | "server-trouble"
  /** No answer: no connection, a broken one, or too slow. */
  | "unreachable"
  /** An answer that is not what the provider promised: HTML, cut short, too large, another shape. */
  | "not-understood";

/** A source could not look. Never holds a key, a token or an answer's text beyond a few safe words. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly source: string;
  readonly reason: SourceErrorReason;
  readonly retryAfterMs: number | undefined;

  constructor(
    source: string,
    reason: SourceErrorReason,
    options: { detail?: string; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    const { detail, cause } = options;
    super(detail === undefined ? `${source}: ${reason}` : `${source}: ${reason} (${detail})`, { cause });
    this.source = source;
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
  }
}
