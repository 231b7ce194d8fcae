import type { Listing } from "../listing/listing.ts";

/**
 * A source of listings. It answers one page of one query, newest first, or throws a SourceError with the reason. It knows
 * neither the database nor filters or chats.
 */
export interface Source<Query> {
  readonly name: string;
  readPage(query: Query, window: PageWindow, signal?: AbortSignal): Promise<SourcePage>;
}

/** Page `number` (from 1) with `size` listings per page. */
export interface PageWindow {
  readonly number: number;
  readonly size: number;
}

export interface SourcePage {
  readonly listings: readonly Listing[];
  /** Elements of the answer that could not be parsed. The others are returned all the same. */
  readonly rejected: readonly Rejection[];
  readonly total: number;
  /** The answer may contain listings that were not asked for. */
  readonly hasIgnoredFilters: boolean;
}

export interface Rejection {
  /** The invalid field, as a dotted path. */
  readonly field: string;
  readonly problem: string;
}

export const MAX_PAGE_SIZE = 50;

export type SourceErrorReason =
  | "no-source"
  /** Key or secret are wrong, or the subscription ended. The operator must act. */
  | "refused-credentials"
  /** The month's requests are used up, at the provider or in our own budget. */
  | "quota-spent"
  /** Too many requests; retry after `retryAfterMs`. */
  | "rate-limited"
  /** The provider does not know the requested place. */
  | "not-found"
  /** The provider rejects the request as invalid: our bug. */
  | "refused-request"
  /** The provider reports an internal error. */
  | "server-trouble"
  /** No answer: connection refused, broken or timed out. */
  | "unreachable"
  /** An unexpected answer: HTML, truncated, too large, wrong shape. */
  | "not-understood";

/** A source could not answer. The message never contains a key, a token, or more of the answer than a few safe words. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly source: string;
  readonly reason: SourceErrorReason;
  readonly retryAfterMs: number | undefined;
  readonly detail: string | undefined;

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
    this.detail = detail;
  }
}
