// The background components: watcher, bot and sender. They get here what they may not import: listing sources and the
// Telegram channel.
import type { Sql } from "postgres";
import { DEMO_FILTER_ID, DEMO_FILTER_URL } from "#core/search/demo-filter.ts";
import type { DatabaseClock } from "#platform/database/database-clock.ts";
import type { Jobs } from "#platform/database/jobs.ts";
import { createIdealistaApi } from "#sources/idealista-api/idealista-api.ts";
import { createRoutes } from "#sources/routes/routes.ts";
import { createSearchByUrl } from "#sources/search-by-url/search-by-url.ts";
import { createBot } from "#telegram/bot/create-bot.ts";
import { createWebhook, type WebhookHandler, webhookPathOf } from "#telegram/bot/updates/webhook.ts";
import { createDelivery } from "#telegram/send/create-delivery.ts";
import { createTelegramChannel } from "#telegram/send/create-telegram-channel.ts";
import { createPlacePictures } from "#telegram/send/place-picture/place-picture.ts";
import type { WatcherSources } from "#watcher/check/read-feed.ts";
import { BUDGET_NAMES, createRequestBudget } from "#watcher/rows/feeds/request-budget.ts";
import { createWatcher } from "#watcher/watcher.ts";
import type { Config } from "./config.ts";
import type { ServerLogger } from "./log.ts";
import type { Counters } from "./monitoring/counters.ts";

/** The offer to watch a pasted link says how many homes match, if that is known so soon. */
const PREVIEW_MS = 1_500;

export type Workers = {
  webhook: { path: string; answer: WebhookHandler } | undefined;
  /** Whether Telegram refused the token when this process last used it. */
  isTokenRefused: () => boolean;
  stop: () => Promise<void>;
};

type WorkersOptions = {
  config: Config;
  databaseUrl: string;
  sql: Sql;
  jobs: Jobs;
  logger: ServerLogger;
  counters: Counters;
  /** For everything with a due time that another machine may read. */
  clock: DatabaseClock;
};

export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { config } = options;
  const telegram = config.roles.includes("bot") ? startTelegram(options) : undefined;
  const watcher = config.roles.includes("watcher") ? await startWatcher(options) : undefined;
  return {
    webhook: webhookOf(options, telegram?.webhook),
    isTokenRefused: () => telegram?.isTokenRefused() ?? false,
    // The watcher stops before the sender, so that everything found is still sent.
    stop: async () => {
      await watcher?.stop();
      await telegram?.stop();
    },
  };
}

/** The process that serves the site stores the update, and the process that runs the bot reads it. */
function webhookOf(
  { config, sql, logger, clock }: WorkersOptions,
  ofBot?: WebhookHandler,
): Workers["webhook"] {
  const secret = config.telegram.webhookSecret;
  if (secret === undefined) return undefined;
  const path = webhookPathOf(secret);
  if (ofBot) return { path, answer: ofBot };
  if (!config.roles.includes("web")) return undefined;
  return { path, answer: createWebhook({ sql, secret, now: clock.now, logger, onUpdate: () => {} }) };
}

function startTelegram({ config, databaseUrl, sql, logger, counters, clock }: WorkersOptions) {
  const { token, apiRoot, linkUrl, webhookSecret, miniApp } = config.telegram;
  if (token === undefined) return undefined;
  const { siteUrl } = config;
  const bot = createBot({
    sql,
    databaseUrl,
    token,
    apiRoot,
    siteUrl,
    appSiteUrl: miniApp && siteUrl,
    linkUrl,
    canSearchByUrl: config.searchByUrl !== undefined,
    // It cannot be shown here that hosted Supabase finds an account that the bot made.
    canStartInChat: config.supabase === undefined,
    legalSiteUrl: config.legalSiteUrl,
    previewMs: PREVIEW_MS,
    webhookSecret,
    now: clock.now,
    logger,
  });
  const channel = createTelegramChannel({
    token,
    apiRoot,
    siteUrl,
    app: miniApp && { siteUrl, linkUrl },
    pictureOf: createPlacePictures(),
    onRepair: (repair, error) =>
      logger.error({ repair, error }, "a message was repaired after Telegram refused it"),
    onUnknownRefusal: counters.onUnknownRefusal,
    onError: (error) => logger.error({ err: error }, "part of an alert could not be rendered"),
  });
  const delivery = createDelivery({
    databaseUrl,
    sql,
    channel,
    logger,
    now: clock.now,
    onSend: counters.onSend,
  });
  bot.start();
  delivery.start();
  return {
    webhook: bot.webhook,
    isTokenRefused: bot.isTokenRefused,
    stop: async () => {
      await Promise.all([bot.stop(), delivery.stop()]);
    },
  };
}

async function startWatcher({ config, databaseUrl, sql, jobs, logger, counters, clock }: WorkersOptions) {
  const watcher = createWatcher({
    databaseUrl,
    jobs,
    sql,
    sources: sourcesOf(config, sql, clock),
    routes: config.routes && createRoutes(config.routes),
    checkIntervalSeconds: config.checkIntervalSeconds,
    demoFilter: { filterId: DEMO_FILTER_ID, filterUrl: DEMO_FILTER_URL },
    now: clock.now,
    logger,
    onCheck: counters.onCheck,
  });
  await watcher.start();
  return watcher;
}

function sourcesOf({ idealista, searchByUrl }: Config, sql: Sql, clock: DatabaseClock): WatcherSources {
  const budgetOf = (name: string, monthlyRequests: number) =>
    createRequestBudget({ sql, name, monthlyRequests, now: clock.now });
  return {
    official: idealista && {
      monthlyRequests: idealista.monthlyRequests,
      source: createIdealistaApi({
        baseUrl: idealista.url,
        key: idealista.key,
        secret: idealista.secret,
        budget: budgetOf(BUDGET_NAMES.official, idealista.monthlyRequests),
      }),
    },
    byUrl: searchByUrl && {
      monthlyRequests: searchByUrl.monthlyRequests,
      source: createSearchByUrl({
        baseUrl: searchByUrl.url,
        key: searchByUrl.key,
        budget: budgetOf(BUDGET_NAMES["by-url"], searchByUrl.monthlyRequests),
      }),
    },
  };
}
