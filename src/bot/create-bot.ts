// The Telegram conversation: hears what chats say and press, answers, and notes it in the database. It knows nothing of
// the watch or of delivery; all three meet in the database.
import { Api, BotError, Bot as GrammyBot, GrammyError } from "grammy";
import type { Update } from "grammy/types";
import type { Sql } from "postgres";
import { takeSessionLock } from "#store/session-lock.ts";
import { apologise } from "./apologise.ts";
import { type Bell, createBell } from "./bell.ts";
import type { BotLogger, BotParts } from "./bot-parts.ts";
import { registerFace } from "./command-menu.ts";
import { describeError } from "./describe-error.ts";
import { drainInbox } from "./drain-inbox.ts";
import { hearMembership } from "./hear-membership.ts";
import { hearMessage } from "./hear-message.ts";
import { hearPress } from "./hear-press.ts";
import type { Hearing } from "./hearing.ts";
import { createInboundLimit } from "./inbound-limit.ts";
import { nativeFetch } from "./native-fetch.ts";
import { pauseFor } from "./pause-for.ts";
import { DELAYS, type Delays, reactionTo } from "./reaction-to.ts";
import { awaitUpdates, HEARD_UPDATES, pollUpdates } from "./receive-updates.ts";
import { createWebhook, type WebhookHandler, webhookPathOf } from "./webhook.ts";

export interface BotOptions {
  readonly sql: Sql;
  /** For the one connection that holds the lock; a session of its own, so not through a pooler of transactions. */
  readonly databaseUrl: string;
  readonly token: string;
  readonly apiRoot: string;
  /** Without the @. */
  readonly username: string;
  readonly siteUrl: string;
  /** Where links to bots begin. */
  readonly linkUrl: string;
  /** Given, updates come by webhook to `webhookPathOf(secret)` of the site; else they are asked for. */
  readonly webhookSecret?: string | undefined;
  readonly now: () => number;
  readonly logger: BotLogger;
  readonly delays?: Partial<Delays>;
}

export interface Bot {
  start(): void;
  /** Ends after the update at hand. */
  stop(): Promise<void>;
  readonly webhook?: WebhookHandler;
}

/** A long poll lasts 30 s; a reply that takes longer than this is of no use to anyone. */
const POLL_TIMEOUT_SECONDS = 60;
const REPLY_TIMEOUT_SECONDS = 10;
/** A reply waits so long for flood control, then is given up: everyone else waits behind it. */
const LONGEST_FLOOD_WAIT_SECONDS = 3;

export function createBot(options: BotOptions): Bot {
  const stopping = new AbortController();
  const bell = createBell();
  const grammyBot = createGrammyBot(options, stopping.signal);
  let running: Promise<void> | undefined;
  const webhook =
    options.webhookSecret === undefined
      ? undefined
      : createWebhook({ sql: options.sql, secret: options.webhookSecret, onUpdate: bell.ring });
  return {
    start: () => {
      running ??= superviseBot({ ...options, bot: grammyBot, bell, stopping: stopping.signal });
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
    ...(webhook === undefined ? {} : { webhook }),
  };
}

interface Supervised extends BotOptions {
  readonly bot: GrammyBot;
  readonly bell: Bell;
  readonly stopping: AbortSignal;
}

/** One process at a time speaks for the bot, over all machines; whatever Telegram says, it goes on trying. */
async function superviseBot(supervised: Supervised): Promise<void> {
  const { databaseUrl, logger, token, stopping } = supervised;
  const delays = { ...DELAYS, ...supervised.delays };
  const face = { isShown: false };
  const hearing: { trouble: string | undefined } = { trouble: undefined };
  const onHeard = () => {
    if (hearing.trouble !== undefined) logger.info({}, "the bot listens again");
    hearing.trouble = undefined;
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
        logger[words === hearing.trouble ? "debug" : level](
          { error: words, delayMs },
          "the bot could not listen",
        );
        hearing.trouble = words;
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

/** A refused reply is done with; a token that is refused stops everything, and what went wrong otherwise is tried again. */
async function dealWith(serving: Serving, update: Update, isLastTry: boolean): Promise<"done" | "failed"> {
  const { bot, logger, token } = serving;
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

function createGrammyBot(options: BotOptions, stopping: AbortSignal): GrammyBot {
  const { token, apiRoot, sql, username, siteUrl, linkUrl, now, logger } = options;
  const bot = new GrammyBot(token, {
    client: { apiRoot, timeoutSeconds: REPLY_TIMEOUT_SECONDS, fetch: nativeFetch },
  });
  bot.api.config.use(async (call, method, payload, signal) => {
    const answer = await call(method, payload, signal);
    const seconds = answer.ok || answer.error_code !== 429 ? undefined : answer.parameters?.retry_after;
    if (seconds === undefined || seconds > LONGEST_FLOOD_WAIT_SECONDS) return answer;
    await pauseFor(seconds * 1000, stopping);
    return call(method, payload, signal);
  });
  const parts: BotParts = { sql, username, siteUrl, linkUrl, now, logger };
  const hearing: Hearing = { parts, admit: createInboundLimit(now) };
  bot.on(["message", "channel_post"], (ctx) => hearMessage(hearing, ctx));
  bot.on("callback_query", (ctx) => hearPress(hearing, ctx));
  bot.on("my_chat_member", (ctx) => hearMembership(hearing, ctx));
  return bot;
}
