import { Api, type Bot as GrammyBot } from "grammy";
import type { Update } from "grammy/types";
import type { Sql } from "postgres";
import { takeSessionLock } from "#store/session-lock.ts";
import type { Bell } from "./bell.ts";
import type { BotLogger } from "./bot-parts.ts";
import { registerFace } from "./command-menu.ts";
import { dealWith } from "./deal-with.ts";
import { describeError } from "./describe-error.ts";
import { drainInbox } from "./drain-inbox.ts";
import { nativeFetch } from "./native-fetch.ts";
import { pauseFor } from "./pause-for.ts";
import { type Delays, reactionTo } from "./reaction-to.ts";
import { awaitUpdates, HEARD_UPDATES, pollUpdates } from "./receive-updates.ts";
import { webhookPathOf } from "./webhook.ts";

/** A long poll lasts 30 s. */
const POLL_TIMEOUT_SECONDS = 60;

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
  readonly stopping: AbortSignal;
}

/** One process at a time speaks for the bot, over all machines; whatever Telegram says, it goes on trying. */
export async function superviseBot(supervised: Supervised): Promise<void> {
  const { databaseUrl, logger, token, stopping, delays } = supervised;
  const face = { isShown: false };
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
      await serveUpdates({ ...supervised, signal, face, onHeard }).catch(async (error: unknown) => {
        if (signal.aborted) return;
        const { delayMs, level } = reactionTo(error, delays);
        const words = describeError(error, token);
        // An outage of a day is one line, not thirty thousand.
        logger[words === trouble ? "debug" : level]({ error: words, delayMs }, "the bot could not listen");
        trouble = words;
        await pauseFor(delayMs, signal);
      });
    }
    await lock.release();
    logger.info({}, "the bot is no longer ours");
  }
}

interface Serving extends Supervised {
  readonly signal: AbortSignal;
  /** Whether Telegram has the menus already. */
  readonly face: { isShown: boolean };
  readonly onHeard: () => void;
}

async function serveUpdates(serving: Serving): Promise<void> {
  const { bot, sql, token, signal, webhookSecret, siteUrl } = serving;
  await bot.api.getMe().then((me) => {
    bot.botInfo = me;
  });
  const face = showFace(serving);
  const deal = (update: Update, isLastTry: boolean) => dealWith(serving, update, isLastTry);
  const drain = () => drainInbox({ sql, deal, signal });
  const api = new Api(token, {
    apiRoot: serving.apiRoot,
    timeoutSeconds: POLL_TIMEOUT_SECONDS,
    fetch: nativeFetch,
  });
  const receiving = { api, sql, drain, now: serving.now, onHeard: serving.onHeard, signal };
  try {
    if (webhookSecret === undefined) {
      await bot.api.deleteWebhook();
      await pollUpdates(receiving);
    } else {
      await bot.api.setWebhook(`${siteUrl}${webhookPathOf(webhookSecret)}`, {
        secret_token: webhookSecret,
        allowed_updates: HEARD_UPDATES,
      });
      await awaitUpdates({ ...receiving, bell: serving.bell });
    }
  } finally {
    await face;
  }
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
