// The product in one process: wires the parts, starts them in order, stops them in reverse.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";
import { type Backend, createBackend } from "#backend/backend.ts";
import { startEmbeddedPostgres } from "#backend/postgres/embedded-postgres.ts";
import { StartError } from "#backend/postgres/start-error.ts";
import { loadSecrets, type Secrets } from "#backend/secrets.ts";
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import { readFigures } from "#store/figures.ts";
import { openDatabase } from "#store/open-database.ts";
import type { Config } from "./config.ts";
import type { ConnectionLimits } from "./connections.ts";
import { addressOfRequest } from "./http.ts";
import { createHttpServer } from "./http-server.ts";
import { closeServer, listen } from "./listen.ts";
import type { Logger } from "./log.ts";
import { createMailer, type Mailer } from "./mailer.ts";
import { startAccountMails } from "./mails/send-account-mails.ts";
import { createAuthMailSender } from "./mails/send-auth-mail.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { publicConfigOf } from "./public-config.ts";
import { loadWebApp } from "./web-app.ts";
import { startWorkers } from "./workers.ts";

/** For the watcher, the bot and delivery together; the backend has its own. */
const DATABASE_CONNECTIONS = 10;

export type Product = {
  port: number;
  /** Settles when the database has ended without being asked to. */
  databaseLost: Promise<void>;
  stop: () => Promise<void>;
};

export type ProductOptions = {
  config: Config;
  folders: { web: string; migrations: string };
  createLogger: (secrets: string[]) => Logger;
  onStep: (step: string) => void;
};

export async function startProduct(options: ProductOptions): Promise<Product> {
  const { config, folders, onStep } = options;
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    await makeDataFolder(config.dataDir);
    const secrets = await loadSecrets(config.dataDir);
    const logger = options.createLogger(secretsIn(config, secrets));

    onStep("Starting the database");
    const database = await startDatabase(config, secrets, logger);
    stops.push(database.stop);

    onStep("Bringing the database up to date");
    const mailer = createMailer(config.mail);
    stops.push(async () => mailer.close());
    const backend = config.supabase
      ? undefined
      : await startBackend({ ...options, secrets, logger, mailer, url: database.url });
    if (backend) stops.push(backend.close);

    onStep("Opening the doors");
    const web = await loadWebApp({
      folder: folders.web,
      siteUrl: config.siteUrl,
      supabaseUrl: config.supabase?.url,
    });
    const sql = openDatabase({ url: database.url, max: DATABASE_CONNECTIONS });
    stops.push(() => sql.end({ timeout: 1 }));
    const workers = await startWorkers({ config, databaseUrl: database.url, sql, logger });
    stops.push(workers.stop);
    if (config.roles.includes("web")) {
      const { siteUrl } = config;
      const mails = startAccountMails({
        databaseUrl: database.url,
        sql,
        mailer,
        siteUrl,
        logger,
        now: Date.now,
      });
      stops.push(mails.stop);
    }
    const state = { isStopping: false };
    const server = createHttpServer({
      connectionLimits: connectionLimitsOf(config),
      siteUrl: config.siteUrl,
      trustedProxies: config.trustedProxies,
      publicConfig: publicConfigOf(config, secrets.publishableKey),
      backend,
      metrics: metricsOf(config, sql),
      webhook: workers.webhook,
      web,
      logger,
      isReady: async () => !state.isStopping && (!backend || (await within(1_000, backend.isReady()))),
    });
    const port = await listen(server, config);
    stops.push(async () => {
      state.isStopping = true;
      await Promise.all([backend?.hangUp(), closeServer(server)]);
    });
    logger.info({ port, roles: config.roles }, "serving");
    return { port, databaseLost: database.lost, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function connectionLimitsOf({ maxConnections, trustedProxies }: Config): ConnectionLimits {
  return {
    connections: maxConnections.total,
    perAddress: trustedProxies === 0 ? maxConnections.perAddress : undefined,
  };
}

function metricsOf(config: Config, sql: Sql): Metrics | undefined {
  if (config.metricsToken === undefined) return undefined;
  return createMetrics({
    token: config.metricsToken,
    readFigures: () => readFigures(sql, new Date()),
    limits: {
      checkIntervalSeconds: config.checkIntervalSeconds,
      monthlyRequests: config.idealista?.monthlyRequests,
    },
  });
}

async function makeDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : "";
    throw new StartError(`The data folder ${folder} cannot be made (${code}); set DATA_DIR to another one.`, {
      cause,
    });
  }
}

async function startDatabase(config: Config, secrets: Secrets, logger: Logger) {
  if (config.databaseUrl) {
    return { url: config.databaseUrl, lost: new Promise<void>(() => {}), stop: async () => {} };
  }
  const server = await startEmbeddedPostgres({
    folder: join(config.dataDir, "postgres"),
    password: secrets.databasePassword,
    onLog: (line) => logger.debug({ line }, "postgres"),
  });
  const state = { isStopping: false };
  const lost = new Promise<void>((resolve) => {
    void server.exited.then(() => {
      if (!state.isStopping) resolve();
    });
  });
  const stop = async () => {
    state.isStopping = true;
    await server.stop();
  };
  return { url: server.url, lost, stop };
}

async function startBackend(
  options: ProductOptions & { secrets: Secrets; logger: Logger; mailer: Mailer; url: string },
): Promise<Backend> {
  const { config, secrets, logger, mailer, folders } = options;
  const backend = createBackend({
    databaseUrl: options.url,
    jwtSecret: config.jwtSecret ?? secrets.jwtSecret,
    publishableKey: secrets.publishableKey,
    siteUrl: config.siteUrl,
    redirectUrls: redirectUrlsOf(config.siteUrl),
    sendMail: createAuthMailSender({ mailer, siteUrl: config.siteUrl }),
    ...(config.google ? { google: config.google } : {}),
    migrationsFolder: folders.migrations,
    now: Date.now,
    logger,
    addressOf: (request) => addressOfRequest(request, config.trustedProxies),
    requestBudget: config.requestBudget,
  });
  try {
    const applied = await backend.prepare();
    for (const migration of applied) logger.info({ migration }, "migrated");
  } catch (error) {
    await backend.close();
    throw error;
  }
  return backend;
}

/** Where a mail's link or Google may lead back to: matched whole, so each is listed. */
function redirectUrlsOf(siteUrl: string): string[] {
  return LANGUAGES.flatMap((language) => [
    `${siteUrl}${localizedPath("/", language)}`,
    `${siteUrl}${localizedPath("/reset-password", language)}`,
  ]);
}

function secretsIn(config: Config, secrets: Secrets): string[] {
  const passwords = [config.databaseUrl, config.mail.smtpUrl].map((url) =>
    url ? decodeURIComponent(new URL(url).password) : undefined,
  );
  return [
    secrets.databasePassword,
    secrets.jwtSecret,
    config.jwtSecret,
    config.telegram.token,
    config.telegram.webhookSecret,
    config.idealista?.secret,
    config.searchByUrl?.key,
    config.google?.clientSecret,
    config.metricsToken,
    ...passwords,
  ].filter((secret) => secret !== undefined);
}

async function within(timeoutMs: number, answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  // A database that refuses is as unready as one that is silent.
  const result = await Promise.race([answer.catch(() => false), late]);
  clearTimeout(timer);
  return result;
}
