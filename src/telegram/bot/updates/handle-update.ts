import type { Api } from "grammy";
import { BotError, type Bot as GrammyBot, GrammyError } from "grammy";
import type { Update } from "grammy/types";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { LockLostError } from "#platform/database/guarded-by-lock.ts";
import { withTimeout } from "#platform/timing.ts";
import { findChatLanguages } from "../../rows/conversations.ts";
import { chatOf, languageOf, readLanguageCode } from "../conversation/telegram-chat.ts";
import { botTexts } from "../conversation/texts.ts";
import { describeError } from "./update-errors.ts";

interface HandleOptions {
  readonly bot: GrammyBot;
  readonly sql: Sql;
  readonly token: string;
  readonly logger: Logger;
}

const ANSWER_MS = 2_000;

/** A refused reply ends the update. A refused token or a lost lock is thrown. Other failures are retried. */
export async function handleUpdate(
  { bot, sql, token, logger }: HandleOptions,
  content: string,
  isLastTry: boolean,
): Promise<"done" | "failed"> {
  const update = parseUpdate(content);
  if (update === undefined) {
    logger.warn({}, "skipped an update: not valid JSON");
    return "done";
  }
  try {
    await bot.handleUpdate(update);
    return "done";
  } catch (failure) {
    const error = failure instanceof BotError ? failure.error : failure;
    const code = error instanceof GrammyError ? error.error_code : undefined;
    if (code === 401 || code === 404 || error instanceof LockLostError) throw error;
    logger.warn({ error: describeError(error, token) }, "could not handle an update");
    if (code === 400 || code === 403 || code === 429) return "done";
    if (isLastTry) await replyWithApology(bot.api, sql, update);
    return "failed";
  }
}

/** Returns undefined if the content is not a JSON object. */
export function parseUpdate(content: string): Update | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null ? (value as Update) : undefined;
  } catch {
    return undefined;
  }
}

/** Tells a user whose command or link could not be handled that the fault is ours. */
async function replyWithApology(api: Api, sql: Sql, { message }: Update): Promise<void> {
  const chat = chatOf(message?.chat);
  const text: unknown = message?.text;
  if (chat === undefined || typeof text !== "string" || !/^\/|idealista/i.test(text)) return;
  // The database may be what failed.
  const known = await withTimeout(ANSWER_MS, findChatLanguages(sql, chat.id)).catch(() => undefined);
  const language = languageOf(known?.spoken, readLanguageCode(message?.from?.language_code));
  await api.sendMessage(chat.id, botTexts(language)("trouble")).catch(() => undefined);
}
