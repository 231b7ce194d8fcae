import { BotError, GrammyError, HttpError } from "grammy";
import { scrubToken } from "../../scrub-token.ts";

export interface Delays {
  /** The token is wrong or revoked. Only the operator can fix that. */
  readonly refusedMs: number;
  /** Another program polls the updates of this bot. */
  readonly conflictMs: number;
  readonly errorMs: number;
}

export const DELAYS: Delays = { refusedMs: 60_000, conflictMs: 30_000, errorMs: 3_000 };

/** A longer retry_after is taken for a mistake. */
const LONGEST_MS = 3_600_000;

/** How long to wait before the next request. Level "error" means that the operator must act. */
export function retryAfter(
  error: unknown,
  { refusedMs, conflictMs, errorMs }: Delays,
): { readonly delayMs: number; readonly level: "warn" | "error" } {
  const code = error instanceof GrammyError ? error.error_code : undefined;
  if (code === 401 || code === 404) return { delayMs: refusedMs, level: "error" };
  if (code === 409) return { delayMs: conflictMs, level: "warn" };
  const seconds: unknown = error instanceof GrammyError ? error.parameters?.retry_after : undefined;
  const isFlood = code === 429 && typeof seconds === "number" && seconds >= 0;
  return { delayMs: isFlood ? Math.min(seconds * 1000, LONGEST_MS) : errorMs, level: "warn" };
}

/** Describes an error for the log, without the token: grammY's errors quote the URL of the request. */
export function describeError(error: unknown, token: string): string {
  return scrubToken(wordsFor(error), token);
}

function wordsFor(error: unknown): string {
  if (error instanceof BotError) return wordsFor(error.error);
  if (error instanceof GrammyError) return `${error.method}: ${error.error_code} ${error.description}`;
  if (error instanceof HttpError) return `${error.message} ${wordsFor(error.error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
