// The bot: stores messages and button presses in an inbox, answers them and saves the results in the database. It must not
// depend on the watcher or on sending; they communicate through the database.
import { type Context, Bot as GrammyBot } from "grammy";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { guardedByLock, LockLostError } from "#platform/database/guarded-by-lock.ts";
import { createWakeUp } from "#platform/timing.ts";
import type { BotParts } from "./conversation/conversation.ts";
import { createInboundLimit } from "./conversation/inbound-limit.ts";
import { WaitCounter } from "./updates/drain-inbox.ts";
import { nativeFetch } from "./updates/native-fetch.ts";
import { onCallbackQuery } from "./updates/on-callback-query.ts";
import { onInlineQuery } from "./updates/on-inline-query.ts";
import { onMembership } from "./updates/on-membership.ts";
import { onMessage } from "./updates/on-message.ts";
import { type BotLease, superviseBot } from "./updates/supervise-bot.ts";
import { DELAYS, type Delays } from "./updates/update-errors.ts";
import { createWebhook, type WebhookHandler } from "./updates/webhook.ts";

export interface BotOptions {
  readonly sql: Sql;
  /** For the connection that holds the session lock. A transaction pooler does not work here. */
  readonly databaseUrl: string;
  readonly token: string;
  readonly apiRoot: string;
  readonly siteUrl: string;
  /** Where the pages of the Mini App are; undefined where it is not offered. */
  readonly appSiteUrl?: string | undefined;
  /** The start of links to bots: https://t.me */
  readonly linkUrl: string;
  /** With a secret, updates come by webhook to `webhookPathOf(secret)` of the site; without one, by long polling. */
  readonly webhookSecret?: string | undefined;
  /** Whether there is a source that takes the search's URL as it is. */
  readonly canSearchByUrl?: boolean;
  /** Whether the owner of a private chat can make an account there. Not on hosted Supabase. */
  readonly canStartInChat?: boolean;
  /** The site with the terms and the privacy policy; ours by default. */
  readonly legalSiteUrl?: string;
  /** How long an offer waits for the watcher's preview of the link. Without it, the watcher is not asked. */
  readonly previewMs?: number;
  readonly now: () => number;
  readonly logger: Logger;
  readonly delays?: Partial<Delays>;
}

export interface Bot {
  start(): void;
  /** Resolves after the updates in progress. */
  stop(): Promise<void>;
  /** Whether Telegram refused the token at the last request. */
  isTokenRefused(): boolean;
  readonly webhook?: WebhookHandler;
}

const REPLY_TIMEOUT_SECONDS = 10;
/** A reply that Telegram's flood control delays for longer is dropped: it would come too late to be useful. */
const LONGEST_FLOOD_WAIT_SECONDS = 3;

export function createBot(options: BotOptions): Bot {
  const stopping = new AbortController();
  const wakeUp = createWakeUp();
  const waits = new WaitCounter(wakeUp.call);
  const lease: BotLease = { lock: undefined, isTokenRefused: false };
  const grammyBot = createGrammyBot(options, waits, () => lease.lock?.isHeld() === true);
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
        lease,
        stopping: stopping.signal,
      });
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
    isTokenRefused: () => lease.isTokenRefused,
    ...(webhook === undefined ? {} : { webhook }),
  };
}

/** Every call checks that this process still holds the lock: otherwise another process may already answer later updates. */
function createGrammyBot(options: BotOptions, waits: WaitCounter, isHeld: () => boolean): GrammyBot {
  const { token, apiRoot, siteUrl, linkUrl, canSearchByUrl = false, now, logger } = options;
  const { canStartInChat = false, legalSiteUrl = siteUrl, previewMs = 0 } = options;
  const sql = guardedByLock(options.sql, isHeld);
  const bot = new GrammyBot(token, {
    client: { apiRoot, timeoutSeconds: REPLY_TIMEOUT_SECONDS, fetch: nativeFetch },
  });
  bot.api.config.use(async (call, method, payload, signal) => {
    if (!isHeld()) throw new LockLostError();
    const answer = await call(method, payload, signal);
    const seconds = answer.ok || answer.error_code !== 429 ? undefined : answer.parameters?.retry_after;
    if (seconds === undefined || seconds > LONGEST_FLOOD_WAIT_SECONDS) return answer;
    // Wait even while stopping: the action is done, so its reply must be sent.
    await waits.wait(seconds * 1000);
    if (!isHeld()) throw new LockLostError();
    return call(method, payload, signal);
  });
  const admit = createInboundLimit(now);
  const partsOf = ({ me }: Context): BotParts => {
    return {
      sql,
      username: me.username,
      siteUrl,
      appSiteUrl: options.appSiteUrl,
      linkUrl,
      canSearchByUrl,
      canStartInChat,
      legalSiteUrl,
      previewMs,
      now,
      logger,
      admit,
    };
  };
  bot.on(["message", "channel_post"], (ctx) => onMessage(partsOf(ctx), ctx));
  bot.on("callback_query", (ctx) => onCallbackQuery(partsOf(ctx), ctx));
  bot.on("inline_query", (ctx) => onInlineQuery(partsOf(ctx), ctx));
  bot.on("my_chat_member", (ctx) => onMembership(partsOf(ctx), ctx));
  return bot;
}
