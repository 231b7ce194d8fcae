import { Api, type Bot as GrammyBot } from "grammy";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { type HeldLock, takeSessionLock } from "#platform/database/session-lock.ts";
import { sleep, type WakeUp } from "#platform/timing.ts";
import { registerMenus } from "../commands/command-menu.ts";
import { saveBot } from "../rows/bot-name.ts";
import { drainInbox, type WaitCounter } from "./drain-inbox.ts";
import { handleUpdate } from "./handle-update.ts";
import { nativeFetch } from "./native-fetch.ts";
import { ALLOWED_UPDATES, awaitUpdates, pollUpdates } from "./receive-updates.ts";
import { type Delays, describeError, retryAfter } from "./update-errors.ts";
import { webhookPathOf } from "./webhook.ts";

/** A long poll lasts 30 s. */
const POLL_TIMEOUT_SECONDS = 60;
/** A webhook request may reach another process, which cannot wake this one. Polling wakes it at once. */
const LOOK_EVERY_MS = { webhook: 1_000, polling: 30_000 };

const MESSAGES = {
  warn: "could not listen for Telegram updates, will retry",
  error: "Telegram refuses TELEGRAM_BOT_TOKEN, will retry: use the token that @BotFather shows",
};

export interface BotLease {
  lock: HeldLock | undefined;
  isTokenRefused: boolean;
}

export interface SuperviseOptions {
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly token: string;
  readonly apiRoot: string;
  readonly siteUrl: string;
  readonly appSiteUrl?: string | undefined;
  readonly webhookSecret?: string | undefined;
  readonly now: () => number;
  readonly logger: Logger;
  readonly delays: Delays;
  readonly bot: GrammyBot;
  readonly wakeUp: WakeUp;
  readonly waits: WaitCounter;
  readonly lease: BotLease;
  readonly stopping: AbortSignal;
}

/** One process among all machines runs the bot. It retries after every error. */
export async function superviseBot(options: SuperviseOptions): Promise<void> {
  const { databaseUrl, logger, token, stopping, delays, lease } = options;
  const menus = { areRegistered: false };
  const unwritten = new Set<string>();
  let lastError: string | undefined;
  const onAnswer = () => {
    if (lastError !== undefined) logger.info({}, "receiving Telegram updates again");
    lastError = undefined;
    lease.isTokenRefused = false;
  };
  while (!stopping.aborted) {
    const lock = await takeSessionLock({ databaseUrl, name: "telegram bot", signal: stopping });
    if (lock === undefined) return;
    lease.lock = lock;
    logger.info({}, "this process now runs the bot");
    const signal = AbortSignal.any([stopping, lock.lost]);
    while (!signal.aborted) {
      await serveUpdates({ ...options, signal, menus, unwritten, onAnswer }).catch(async (error: unknown) => {
        if (signal.aborted) return;
        const { delayMs, level } = retryAfter(error, delays);
        const description = describeError(error, token);
        lease.isTokenRefused = level === "error";
        // Log an outage once, not at every retry.
        if (description !== lastError) logger[level]({ error: description, delayMs }, MESSAGES[level]);
        lastError = description;
        await sleep(delayMs, signal);
      });
    }
    await lock.release();
    // From here on another process knows whether Telegram accepts the token.
    lease.isTokenRefused = false;
    logger.info({}, "this process no longer runs the bot");
  }
}

interface ServeOptions extends SuperviseOptions {
  readonly signal: AbortSignal;
  readonly menus: { areRegistered: boolean };
  readonly unwritten: Set<string>;
  readonly onAnswer: () => void;
}

async function serveUpdates(options: ServeOptions): Promise<void> {
  const { bot } = options;
  bot.botInfo = await bot.api.getMe();
  const { username, supports_inline_queries, has_main_web_app } = bot.botInfo;
  await saveBot(options.sql, {
    username,
    hasInlineMode: supports_inline_queries === true,
    hasMainApp: has_main_web_app === true,
  });
  const registering = registerMenusOnce(options);
  try {
    await endTogether(options.signal, [
      (signal) => receive(options, signal),
      (signal) => drain(options, signal),
    ]);
  } finally {
    await registering;
  }
}

/** Aborts all when one fails, waits until all have ended and throws the first error. */
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

async function receive(options: ServeOptions, signal: AbortSignal): Promise<void> {
  const { bot, sql, token, apiRoot, now, logger, onAnswer, wakeUp, siteUrl, webhookSecret } = options;
  const api = new Api(token, { apiRoot, timeoutSeconds: POLL_TIMEOUT_SECONDS, fetch: nativeFetch });
  const receiving = { api, sql, now, logger, onAnswer, onKept: wakeUp.call, signal };
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

function drain(options: ServeOptions, signal: AbortSignal): Promise<void> {
  const { sql, now, waits, wakeUp, unwritten, webhookSecret } = options;
  const handle = (content: string, isLastTry: boolean) => handleUpdate(options, content, isLastTry);
  const lookEveryMs = webhookSecret === undefined ? LOOK_EVERY_MS.polling : LOOK_EVERY_MS.webhook;
  return drainInbox({ sql, now, handle, waits, wakeUp, lookEveryMs, unwritten, signal });
}

async function registerMenusOnce({
  bot,
  menus,
  appSiteUrl,
  signal,
  logger,
  token,
}: ServeOptions): Promise<void> {
  if (menus.areRegistered) return;
  try {
    await registerMenus(bot.api, appSiteUrl, signal);
    menus.areRegistered = !signal.aborted;
  } catch (error) {
    logger.warn({ error: describeError(error, token) }, "could not register the bot's menus");
  }
}
