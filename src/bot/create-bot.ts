// The Telegram conversation: hears what chats say and press, answers, and notes it in the database. It knows nothing of
// the watch or of delivery; all three meet in the database.
import { Bot as GrammyBot } from "grammy";
import type { Sql } from "postgres";
import type { BotLogger, BotParts } from "./bot-parts.ts";
import { createBell } from "./updates/bell.ts";
import { createInboundLimit } from "./updates/inbound-limit.ts";
import { nativeFetch } from "./updates/native-fetch.ts";
import { onCallbackQuery } from "./updates/on-callback-query.ts";
import { onMembership } from "./updates/on-membership.ts";
import { onMessage } from "./updates/on-message.ts";
import { DELAYS, type Delays } from "./updates/reaction-to.ts";
import { superviseBot } from "./updates/supervise-bot.ts";
import type { UpdateContext } from "./updates/update-handler.ts";
import { createWaits, type Waits } from "./updates/waits.ts";
import { createWebhook, type WebhookHandler } from "./updates/webhook.ts";

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

/** A reply that takes longer than this is of no use to anyone. */
const REPLY_TIMEOUT_SECONDS = 10;
/** A reply waits so long for flood control, then is given up: nobody looks for it any more. */
const LONGEST_FLOOD_WAIT_SECONDS = 3;

export function createBot(options: BotOptions): Bot {
  const stopping = new AbortController();
  const bell = createBell();
  const waits = createWaits(bell.ring);
  const grammyBot = createGrammyBot(options, waits);
  let running: Promise<void> | undefined;
  const webhook =
    options.webhookSecret === undefined
      ? undefined
      : createWebhook({ ...options, secret: options.webhookSecret, onUpdate: bell.ring });
  return {
    start: () => {
      const delays = { ...DELAYS, ...options.delays };
      running ??= superviseBot({
        ...options,
        delays,
        bot: grammyBot,
        bell,
        waits,
        stopping: stopping.signal,
      });
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
    ...(webhook === undefined ? {} : { webhook }),
  };
}

function createGrammyBot(options: BotOptions, waits: Waits): GrammyBot {
  const { token, apiRoot, sql, username, siteUrl, linkUrl, now, logger } = options;
  const bot = new GrammyBot(token, {
    client: { apiRoot, timeoutSeconds: REPLY_TIMEOUT_SECONDS, fetch: nativeFetch },
  });
  bot.api.config.use(async (call, method, payload, signal) => {
    const answer = await call(method, payload, signal);
    const seconds = answer.ok || answer.error_code !== 429 ? undefined : answer.parameters?.retry_after;
    if (seconds === undefined || seconds > LONGEST_FLOOD_WAIT_SECONDS) return answer;
    // Also while the bot is asked to stop: what was done is said.
    return (await waits.wait(seconds * 1000)) ? call(method, payload, signal) : answer;
  });
  const parts: BotParts = { sql, username, siteUrl, linkUrl, now, logger };
  const hearing: UpdateContext = { parts, admit: createInboundLimit(now) };
  bot.on(["message", "channel_post"], (ctx) => onMessage(hearing, ctx));
  bot.on("callback_query", (ctx) => onCallbackQuery(hearing, ctx));
  bot.on("my_chat_member", (ctx) => onMembership(hearing, ctx));
  return bot;
}
