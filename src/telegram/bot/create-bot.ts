// The Telegram conversation: what chats say and press comes into an inbox, is answered, and noted in the database. It knows
// nothing of the watch or of delivery; all three meet in the database.
import { type Context, Bot as GrammyBot } from "grammy";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { guardedByLock, LockLostError } from "#platform/database/guarded-by-lock.ts";
import { createWakeUp } from "#platform/timing.ts";
import type { BotParts } from "./conversation.ts";
import { WaitCounter } from "./updates/drain-inbox.ts";
import { createInboundLimit } from "./updates/inbound-limit.ts";
import { nativeFetch } from "./updates/native-fetch.ts";
import { onCallbackQuery } from "./updates/on-callback-query.ts";
import { onMembership } from "./updates/on-membership.ts";
import { onMessage } from "./updates/on-message.ts";
import { type BotLease, superviseBot } from "./updates/supervise-bot.ts";
import { DELAYS, type Delays } from "./updates/telegram-errors.ts";
import { createWebhook, type WebhookHandler } from "./updates/webhook.ts";

export interface BotOptions {
  readonly sql: Sql;
  /** For the one connection that holds the lock; a session of its own, so not through a pooler of transactions. */
  readonly databaseUrl: string;
  readonly token: string;
  readonly apiRoot: string;
  readonly siteUrl: string;
  /** Where links to bots begin. */
  readonly linkUrl: string;
  /** Given, updates come by webhook to `webhookPathOf(secret)` of the site; else they are asked for. */
  readonly webhookSecret?: string | undefined;
  /** A source is at hand that takes the search's URL as it is. */
  readonly canSearchByUrl?: boolean;
  readonly now: () => number;
  readonly logger: Logger;
  readonly delays?: Partial<Delays>;
}

export interface Bot {
  start(): void;
  /** Ends after the update at hand. */
  stop(): Promise<void>;
  /** By Telegram, when it was last asked. */
  isTokenRefused(): boolean;
  readonly webhook?: WebhookHandler;
}

/** A reply that takes longer than this is of no use to anyone. */
const REPLY_TIMEOUT_SECONDS = 10;
/** A reply waits so long for flood control, then is given up: nobody looks for it any more. */
const LONGEST_FLOOD_WAIT_SECONDS = 3;

export function createBot(options: BotOptions): Bot {
  const stopping = new AbortController();
  const wakeUp = createWakeUp();
  const waits = new WaitCounter(wakeUp.call);
  const tenure: BotLease = { lock: undefined, isTokenRefused: false };
  const grammyBot = createGrammyBot(options, waits, () => tenure.lock?.isHeld() === true);
  let running: Promise<void> | undefined;
  const webhook =
    options.webhookSecret === undefined
      ? undefined
      : createWebhook({ ...options, secret: options.webhookSecret, onUpdate: wakeUp.call });
  return {
    start: () => {
      const delays = { ...DELAYS, ...options.delays };
      running ??= superviseBot({
        ...options,
        delays,
        bot: grammyBot,
        wakeUp,
        waits,
        tenure,
        stopping: stopping.signal,
      });
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
    isTokenRefused: () => tenure.isTokenRefused,
    ...(webhook === undefined ? {} : { webhook }),
  };
}

/** What a message leads to is done as long as this process speaks for the bot: a later one may have been dealt with elsewhere. */
function createGrammyBot(options: BotOptions, waits: WaitCounter, isHeld: () => boolean): GrammyBot {
  const { token, apiRoot, siteUrl, linkUrl, canSearchByUrl = false, now, logger } = options;
  const sql = guardedByLock(options.sql, isHeld);
  const bot = new GrammyBot(token, {
    client: { apiRoot, timeoutSeconds: REPLY_TIMEOUT_SECONDS, fetch: nativeFetch },
  });
  bot.api.config.use(async (call, method, payload, signal) => {
    if (!isHeld()) throw new LockLostError();
    const answer = await call(method, payload, signal);
    const seconds = answer.ok || answer.error_code !== 429 ? undefined : answer.parameters?.retry_after;
    if (seconds === undefined || seconds > LONGEST_FLOOD_WAIT_SECONDS) return answer;
    // Also while the bot is asked to stop: what was done is said.
    await waits.wait(seconds * 1000);
    if (!isHeld()) throw new LockLostError();
    return call(method, payload, signal);
  });
  const admit = createInboundLimit(now);
  const partsOf = ({ me }: Context): BotParts => {
    return { sql, username: me.username, siteUrl, linkUrl, canSearchByUrl, now, logger, admit };
  };
  bot.on(["message", "channel_post"], (ctx) => onMessage(partsOf(ctx), ctx));
  bot.on("callback_query", (ctx) => onCallbackQuery(partsOf(ctx), ctx));
  bot.on("my_chat_member", (ctx) => onMembership(partsOf(ctx), ctx));
  return bot;
}
