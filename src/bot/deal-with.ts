import { BotError, type Bot as GrammyBot, GrammyError } from "grammy";
import type { Update } from "grammy/types";
import { apologise } from "./apologise.ts";
import type { BotLogger } from "./bot-parts.ts";
import { describeError } from "./describe-error.ts";

interface Dealing {
  readonly bot: GrammyBot;
  readonly token: string;
  readonly logger: BotLogger;
}

/** A refused reply is done with; a token that is refused stops everything, and what went wrong otherwise is tried again. */
export async function dealWith(
  { bot, token, logger }: Dealing,
  content: string,
  isLastTry: boolean,
): Promise<"done" | "failed"> {
  const update = parseUpdate(content);
  if (update === undefined) {
    logger.warn({}, "an update was not dealt with: it cannot be read");
    return "done";
  }
  try {
    await bot.handleUpdate(update);
    return "done";
  } catch (failure) {
    const error = failure instanceof BotError ? failure.error : failure;
    const code = error instanceof GrammyError ? error.error_code : undefined;
    if (code === 401 || code === 404) throw error;
    logger.warn({ error: describeError(error, token) }, "an update was not dealt with");
    if (code === 400 || code === 403 || code === 429) return "done";
    if (isLastTry) await apologise(bot.api, update);
    return "failed";
  }
}

/** Undefined for what is no update at all. */
export function parseUpdate(content: string): Update | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null ? (value as Update) : undefined;
  } catch {
    return undefined;
  }
}
