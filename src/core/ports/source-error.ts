export type SourceErrorReason =
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
    super(
      options.detail === undefined ? `${source}: ${reason}` : `${source}: ${reason} (${options.detail})`,
      {
        cause: options.cause,
      },
    );
    this.source = source;
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
  }
}
