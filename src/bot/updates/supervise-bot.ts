import { Api, type Bot as GrammyBot } from "grammy";
import type { Sql } from "postgres";
import { takeSessionLock } from "#store/connection/session-lock.ts";
import type { BotLogger } from "../bot-parts.ts";
import { registerFace } from "../commands/command-menu.ts";
import type { Bell } from "./bell.ts";
import { describeError } from "./describe-error.ts";
import { drainInbox } from "./drain-inbox.ts";
import { handleUpdate } from "./handle-update.ts";
import { nativeFetch } from "./native-fetch.ts";
import { pauseFor } from "./pause-for.ts";
import { type Delays, reactionTo } from "./reaction-to.ts";
import { ALLOWED_UPDATES, awaitUpdates, pollUpdates } from "./receive-updates.ts";
import type { Waits } from "./waits.ts";
import { webhookPathOf } from "./webhook.ts";

/** A long poll lasts 30 s. */
const POLL_TIMEOUT_SECONDS = 60;
/** Another machine may have taken the webhook's request; who polls is told by itself. */
const LOOK_EVERY_MS = { webhook: 1_000, polling: 30_000 };

export interface Supervised {
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly token: string;
  readonly apiRoot: string;
  readonly siteUrl: string;
  readonly webhookSecret?: string | undefined;
  readonly now: () => number;
  readonly logger: BotLogger;
  readonly delays: Delays;
  readonly bot: GrammyBot;
  readonly bell: Bell;
  readonly waits: Waits;
  readonly stopping: AbortSignal;
}

/** One process at a time speaks for the bot, over all machines; whatever Telegram says, it goes on trying. */
export async function superviseBot(supervised: Supervised): Promise<void> {
  const { databaseUrl, logger, token, stopping, delays } = supervised;
  const face = { isShown: false };
  const unwritten = new Set<string>();
  let trouble: string | undefined;
  const onHeard = () => {
    if (trouble !== undefined) logger.info({}, "the bot listens again");
    trouble = undefined;
  };
  while (!stopping.aborted) {
    const lock = await takeSessionLock({ databaseUrl, name: "telegram bot", signal: stopping });
    if (lock === undefined) return;
    logger.info({}, "the bot is ours");
    const signal = AbortSignal.any([stopping, lock.lost]);
    while (!signal.aborted) {
      await serveUpdates({ ...supervised, signal, face, unwritten, onHeard }).catch(
        async (error: unknown) => {
          if (signal.aborted) return;
          const { delayMs, level } = reactionTo(error, delays);
          const words = describeError(error, token);
          // An outage of a day is one line, not thirty thousand.
          logger[words === trouble ? "debug" : level]({ error: words, delayMs }, "the bot could not listen");
          trouble = words;
          await pauseFor(delayMs, signal);
        },
      );
    }
    await lock.release();
    logger.info({}, "the bot is no longer ours");
  }
}

interface Serving extends Supervised {
  readonly signal: AbortSignal;
  /** Whether Telegram has the menus already. */
  readonly face: { isShown: boolean };
  readonly unwritten: Set<string>;
  readonly onHeard: () => void;
}

async function serveUpdates(serving: Serving): Promise<void> {
  const { bot } = serving;
  await bot.api.getMe().then((me) => {
    bot.botInfo = me;
  });
  const face = showFace(serving);
  try {
    await endTogether(serving.signal, [
      (signal) => receive(serving, signal),
      (signal) => drain(serving, signal),
    ]);
  } finally {
    await face;
  }
}

/** The first that fails ends the others; when all have ended, its error is thrown. */
async function endTogether(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const ending = new AbortController();
  const errors: unknown[] = [];
  const until = AbortSignal.any([signal, ending.signal]);
  await Promise.all(
    works.map((work) =>
      work(until).catch((error: unknown) => {
        errors.push(error);
        ending.abort();
      }),
    ),
  );
  if (errors.length > 0) throw errors[0];
}

async function receive(serving: Serving, signal: AbortSignal): Promise<void> {
  const { bot, sql, token, apiRoot, now, logger, onHeard, bell, siteUrl, webhookSecret } = serving;
  const api = new Api(token, { apiRoot, timeoutSeconds: POLL_TIMEOUT_SECONDS, fetch: nativeFetch });
  const receiving = { api, sql, now, logger, onHeard, onKept: bell.ring, signal };
  if (webhookSecret === undefined) {
    await bot.api.deleteWebhook();
    return pollUpdates(receiving);
  }
  await bot.api.setWebhook(`${siteUrl}${webhookPathOf(webhookSecret)}`, {
    secret_token: webhookSecret,
    allowed_updates: ALLOWED_UPDATES,
  });
  return awaitUpdates(receiving);
}

function drain(serving: Serving, signal: AbortSignal): Promise<void> {
  const { sql, waits, bell, unwritten, webhookSecret } = serving;
  const deal = (content: string, isLastTry: boolean) => handleUpdate(serving, content, isLastTry);
  const lookEveryMs = webhookSecret === undefined ? LOOK_EVERY_MS.polling : LOOK_EVERY_MS.webhook;
  return drainInbox({ sql, deal, waits, bell, lookEveryMs, unwritten, signal });
}

async function showFace({ bot, face, signal, logger, token }: Serving): Promise<void> {
  if (face.isShown) return;
  try {
    await registerFace(bot.api, signal);
    face.isShown = !signal.aborted;
  } catch (error) {
    logger.warn({ error: describeError(error, token) }, "the bot's menus were not registered");
  }
}
