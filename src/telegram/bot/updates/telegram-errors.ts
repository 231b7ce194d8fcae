import { BotError, GrammyError, HttpError } from "grammy";
import { scrubToken } from "../../scrub-token.ts";

export interface Delays {
  /** The token is wrong or was revoked: only its owner can mend that. */
  readonly refusedMs: number;
  /** Somebody else asks for the updates of this bot. */
  readonly conflictMs: number;
  readonly troubleMs: number;
}

export const DELAYS: Delays = { refusedMs: 60_000, conflictMs: 30_000, troubleMs: 3_000 };

/** A figure beyond it is a mistake, and would leave the bot deaf. */
const LONGEST_MS = 3_600_000;

/** How long to wait before Telegram is asked again; "error" needs a human. No error ends the bot. */
export function retryAfter(
  error: unknown,
  { refusedMs, conflictMs, troubleMs }: Delays,
): { readonly delayMs: number; readonly level: "warn" | "error" } {
  const code = error instanceof GrammyError ? error.error_code : undefined;
  if (code === 401 || code === 404) return { delayMs: refusedMs, level: "error" };
  if (code === 409) return { delayMs: conflictMs, level: "warn" };
  const seconds: unknown = error instanceof GrammyError ? error.parameters?.retry_after : undefined;
  const isFlood = code === 429 && typeof seconds === "number" && seconds >= 0;
  return { delayMs: isFlood ? Math.min(seconds * 1000, LONGEST_MS) : troubleMs, level: "warn" };
}

/** An error as it may be logged: the library's own carry the address of the request, and with it the token. */
export function describeError(error: unknown, token: string): string {
  return scrubToken(wordsFor(error), token);
}

function wordsFor(error: unknown): string {
  if (error instanceof BotError) return wordsFor(error.error);
  if (error instanceof GrammyError) return `${error.method}: ${error.error_code} ${error.description}`;
  if (error instanceof HttpError) return `${error.message} ${wordsFor(error.error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
