import { BotError, GrammyError, HttpError } from "grammy";
import { scrubToken } from "#core/ports/scrub-token.ts";

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
