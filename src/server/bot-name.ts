// The bot's user name: from the settings, or from Telegram through the process that runs the bot.
import type { Sql } from "postgres";
import { z } from "zod";
import { withTimeout } from "#platform/timing.ts";
import { findBotName } from "#telegram/bot/rows/bot-name.ts";

const KEEP_MS = 60_000;
const LOOK_AGAIN_MS = 1_000;
const ANSWER_WITHIN_MS = 1_000;

/** Returns the name for links and pages; undefined until the bot has run once. */
export function createBotName(options: {
  sql: Sql;
  setting: string | undefined;
  now: () => number;
}): () => Promise<string | undefined> {
  const { sql, setting, now } = options;
  let known: string | undefined;
  let lookAt = 0;
  return async () => {
    if (setting !== undefined) return setting;
    if (now() < lookAt) return known;
    lookAt = now() + LOOK_AGAIN_MS;
    // While the database is down the last known name is used.
    known = (await withTimeout(ANSWER_WITHIN_MS, findBotName(sql)).catch(() => undefined)) ?? known;
    if (known !== undefined) lookAt = now() + KEEP_MS;
    return known;
  };
}

const ASK_WITHIN_MS = 5_000;
const getMeAnswer = z.object({
  result: z.object({
    username: z.string(),
    supports_inline_queries: z.boolean().optional(),
    has_topics_enabled: z.boolean().optional(),
  }),
});

export type BotIdentity =
  | {
      kind: "known";
      username: string;
      hasInlineMode: boolean;
      /** Whether private chats with the bot can have topics. */
      hasPrivateTopics: boolean;
      telegramTime: number | undefined;
    }
  | { kind: "refused" }
  /** Telegram's status, or the error of the connection, whose text may contain the token. */
  | { kind: "unreachable"; status: number | undefined; error: unknown };

/** Asks Telegram for the user name of the token's bot. */
export async function fetchBotIdentity(telegram: { token: string; apiRoot: string }): Promise<BotIdentity> {
  try {
    const answer = await fetch(`${telegram.apiRoot}/bot${telegram.token}/getMe`, {
      signal: AbortSignal.timeout(ASK_WITHIN_MS),
    });
    if (answer.status === 401 || answer.status === 404) return { kind: "refused" };
    if (!answer.ok) return { kind: "unreachable", status: answer.status, error: undefined };
    const { result } = getMeAnswer.parse(await answer.json());
    const telegramTime = Date.parse(answer.headers.get("date") ?? "") || undefined;
    return {
      kind: "known",
      username: result.username,
      hasInlineMode: result.supports_inline_queries === true,
      hasPrivateTopics: result.has_topics_enabled === true,
      telegramTime,
    };
  } catch (error) {
    return { kind: "unreachable", status: undefined, error };
  }
}
