import { BotError, GrammyError, HttpError } from "grammy";

/** An error as it may be logged: the library's own carry the address of the request, and with it the token. */
export function describeError(error: unknown, token: string): string {
  return scrub(wordsFor(error), token);
}

function wordsFor(error: unknown): string {
  if (error instanceof BotError) return wordsFor(error.error);
  if (error instanceof GrammyError) return `${error.method}: ${error.error_code} ${error.description}`;
  if (error instanceof HttpError) return `${error.message} ${wordsFor(error.error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function scrub(text: string, token: string): string {
  return text
    .replaceAll(token, "[bot token]")
    .replaceAll(encodeURIComponent(token), "[bot token]")
    .replaceAll(token.split(":")[1] ?? token, "[bot token]");
}
