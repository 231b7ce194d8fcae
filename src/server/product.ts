// The product in one process: wires the components, starts them in order and stops them in reverse.
import { join } from "node:path";
import type { Sql } from "postgres";
import type { Backend } from "#backend/backend.ts";
import { prepareDatabase } from "#backend/prepare-database.ts";
import type { Secrets } from "#backend/secrets.ts";
import type { ServerKeys } from "#backend/server-keys.ts";
import { createPoolProbe } from "#backend/user-pool.ts";
import { createDatabaseClock } from "#platform/database/database-clock.ts";
import { createJobs } from "#platform/database/jobs.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { watchPools } from "#platform/database/watch-pools.ts";
import { stopAwayMails } from "#telegram/send/rows/away-mails.ts";
import { startDroppingMails, startMails } from "./account-mails/send-mails.ts";
import { startAlertMails } from "./alert-mails.ts";
import { createBotName } from "./bot-name.ts";
import { type Config, ROLES } from "./config.ts";
import { openSecrets, startDatabase } from "./database.ts";
import { startEmbeddedSupabase } from "./embedded-supabase.ts";
import { closeServer, createHttpServer, listen } from "./http/http-server.ts";
import { keepAssets } from "./http/kept-assets.ts";
import { sharesOf } from "./http/share-home.ts";
import { loadWebApp } from "./http/web-app.ts";
import { passwordIn, type ServerLogger, secretsIn } from "./log.ts";
import { createMapTiles } from "./map-tiles/map-tiles.ts";
import { type Counters, createCounters } from "./monitoring/counters.ts";
import { createFloodWatch, type FloodWatch } from "./monitoring/flood-warning.ts";
import { createMetrics, type Metrics } from "./monitoring/metrics.ts";
import { createOutageLog } from "./monitoring/outage-log.ts";
import { readFigures } from "./monitoring/rows/figures.ts";
import { startMonitoring } from "./monitoring/start-monitoring.ts";
import { startDailyBackups } from "./ops/daily-backups.ts";
import { publicConfigOf } from "./public-config.ts";
import { createReadiness } from "./readiness.ts";
import { createStopSteps, type StopSteps } from "./stop-steps.ts";
import { startWorkers } from "./workers.ts";

/** For watcher, bot and sender only. People's requests use the backend's pools and cannot exhaust this one. */
const DATABASE_CONNECTIONS = 10;
// A tenth of an address's request limit, but enough for a page that fails repeatedly.
const MIN_FREE_REFUSALS = 300;
const ANSWER_WITHIN_MS = 1_000;
const SIGN_IN = /\/auth\/v1\/token\?(?:.*&)?grant_type=password(?:&|$)/;

export type Product = {
  port: number;
  /** The SMTP port for alert mails; undefined without one. */
  mailPort: number | undefined;
  /** Resolves if the database ends unexpectedly. */
  databaseLost: Promise<void>;
  /** Resolves with a sentence if this process cannot reach the database any more, although it is up. */
  connectionsStuck: Promise<string>;
  stop: () => Promise<void>;
};

export type ProductOptions = {
  config: Config;
  folders: { web: string; migrations: string };
  createLogger: (secrets: string[]) => ServerLogger;
  onStep: (step: string) => void;
  /** Aborts a start in progress: what has started is stopped, and the start throws the reason. */
  signal?: AbortSignal;
};

export async function startProduct(options: ProductOptions): Promise<Product> {
  const { config, folders, onStep, signal } = options;
  const isWeb = config.roles.includes("web");
  const secrets = await openSecrets(config);
  const hidden = secretsIn(config, secrets);
  const plainLogger = options.createLogger(hidden);
  const counters = createCounters();
  const stops = createStopSteps((step, err) =>
    plainLogger.warn({ step, err }, "a shutdown step failed or timed out"),
  );
  try {
    const stores = await openStores({ ...options, secrets, stops, logger: plainLogger });
    const { database, realtimeTables, catalogue, sql, jobs, logger, clock } = stores;
    const { urls } = database;
    const parts = { config, databaseUrl: urls.owner, sql, jobs, logger, counters, clock };
    hidden.push(...[urls.people, urls.auth].map(passwordIn).filter((password) => password !== ""));
    // Not on hosted Supabase, which has its own, and not without the web role.
    const { keys, backend } =
      isWeb && !config.supabase
        ? await startEmbeddedSupabase({ ...parts, urls, realtimeTables, catalogue, hidden, stops })
        : {};
    await unlessAborted(signal, backend?.ready ?? Promise.resolve());
    await jobs.start();
    stops.push({ name: "jobs", withinMs: 3_000, act: jobs.stop });

    onStep("Starting the web server");
    const web = isWeb ? await loadPages(config, folders.web, logger) : undefined;
    signal?.throwIfAborted();
    const { workers, mailPort } = await startBackground(parts, stops);
    signal?.throwIfAborted();
    const state = { isStopping: false };
    const findFailing = createReadiness({ config, sql, backend, workers });
    // The ping stands for the work of all processes: one that only serves pages must not keep the switch quiet.
    const isReady = async () => (await findFailing(ROLES)).length === 0;
    const monitoring = await startMonitoring({ ...parts, isReady });
    stops.push({ name: "monitoring", withinMs: 500, act: async () => monitoring.stop() });
    const floods = createFloodWatch({ counters, logger, now: Date.now });
    const server = createHttpServer({
      ...limitsOf(config, floods),
      siteUrl: config.siteUrl,
      ...config.monitoring.security,
      publicConfig: publicConfigWithBot({ config, keys, sql }),
      backend: backend && countingRefusals(backend, counters, floods),
      metrics: metricsOf(parts),
      webhook: workers.webhook,
      stopMails: (token) => stopAwayMails(sql, token),
      prepareShare: sharesOf(config, sql),
      web,
      mapTiles: isWeb ? await openMapTiles(config, logger, stops) : undefined,
      logger,
      findFailing: async (role) => (state.isStopping ? ["stopping"] : await findFailing(role && [role])),
    });
    const port = await listen(server, config);
    stops.push({
      name: "requests",
      withinMs: 3_000,
      act: async () => {
        state.isStopping = true;
        await Promise.all([backend?.closeRealtime(), closeServer(server)]);
      },
    });
    signal?.throwIfAborted();
    logger.info({ port, roles: config.roles }, "serving");
    const connectionsStuck = watchConnections({ sql, url: urls.owner, backend, stops });
    return { port, mailPort, databaseLost: database.lost, connectionsStuck, stop: stops.run };
  } catch (error) {
    await stops.run();
    throw error;
  }
}

function watchConnections(options: {
  sql: Sql;
  url: string;
  backend: Backend | undefined;
  stops: StopSteps;
}): Promise<string> {
  const { sql, url, backend, stops } = options;
  return new Promise((resolve) => {
    const watch = watchPools({
      pools: { "our own processes": { sql, url }, ...backend?.pools },
      onStuck: (name) =>
        resolve(`The connections for ${name} have not answered for 30 seconds, but the database does.`),
    });
    stops.push({ name: "connection watch", withinMs: 500, act: async () => watch.stop() });
  });
}

async function loadPages(
  { siteUrl, supabase, operator, dataDir, offlinePages, mapTiles, telegram }: Config,
  folder: string,
  logger: ServerLogger,
) {
  const kept = join(dataDir, "assets");
  const olderAssets = await keepAssets({ folder, kept, now: Date.now() }).catch((err: unknown) => {
    logger.warn({ err }, "the scripts of earlier builds are not served: DATA_DIR is not writable");
    return [];
  });
  return loadWebApp({
    folder,
    siteUrl,
    supabaseUrl: supabase?.url,
    mapTilesUrl: mapTiles?.kind === "url" ? mapTiles.url : undefined,
    operator,
    appFramedBy: telegram.miniApp?.framedBy,
    offlinePages,
    packsSmaller: true,
    olderAssets,
  });
}

async function openMapTiles({ mapTiles }: Config, logger: ServerLogger, stops: StopSteps) {
  if (!mapTiles) return undefined;
  const server = await createMapTiles(mapTiles, { logger, now: Date.now });
  stops.push({ name: "map tiles", withinMs: 500, act: server.close });
  return server;
}

/** Background work; each part registers its own stop step. */
async function startBackground(parts: Parameters<typeof startWorkers>[0], stops: StopSteps) {
  const { mail, siteUrl, operator, roles } = parts.config;
  const workers = await startWorkers(parts);
  stops.push({ name: "workers", withinMs: 4_000, act: workers.stop });
  const { backups } = parts.config.monitoring;
  if (backups) await startDailyBackups({ ...parts, backups, now: parts.clock.now });
  const alertMails = await startAlertMails(parts);
  if (alertMails) stops.push({ name: "alert mails", withinMs: 3_000, act: alertMails.stop });
  if (roles.includes("web") && mail) {
    const { onMail } = parts.counters;
    const mails = await startMails({ ...parts, mail, operator, siteUrl, now: parts.clock.now, onMail });
    stops.push({ name: "mails", withinMs: 1_000, act: mails.stop });
  } else if (roles.includes("web")) {
    await startDroppingMails(parts);
  }
  return { workers, mailPort: alertMails?.port };
}

/** Opens the database, migrates it and connects our own processes. */
async function openStores(
  options: ProductOptions & { secrets: Partial<Secrets>; logger: ServerLogger; stops: StopSteps },
) {
  const { config, secrets, logger, stops, signal, onStep } = options;
  onStep("Starting the database");
  // Awaited even when aborted: only a started database can be stopped.
  const database = await startDatabase(config, secrets, (line) => logger.debug({ line }, "postgres"));
  stops.push({ name: "database", withinMs: 8_000, act: database.stop });
  signal?.throwIfAborted();

  onStep("Bringing the database up to date");
  const preparing = prepareDatabase({
    databaseUrl: database.urls.owner,
    migrationsFolder: options.folders.migrations,
    isHosted: config.supabase !== undefined,
  });
  const { applied, realtimeTables, catalogue } = await unlessAborted(signal, preparing);
  for (const migration of applied) logger.info({ migration }, "migrated");
  const sql = openDatabase({ url: database.urls.owner, max: DATABASE_CONNECTIONS });
  stops.push({ name: "connections", withinMs: 1_500, act: () => sql.end({ timeout: 1 }) });
  const clock = await createDatabaseClock(sql);
  const probe = createPoolProbe(sql, ANSWER_WITHIN_MS);
  const outages = createOutageLog({ logger, probe, now: Date.now });
  stops.push({ name: "outage log", withinMs: 500, act: async () => outages.stop() });
  const jobs = createJobs({ databaseUrl: database.urls.owner, logger: outages.logger });
  return { database, realtimeTables, catalogue, sql, jobs, clock, logger: outages.logger };
}

function publicConfigWithBot({
  config,
  keys,
  sql,
}: {
  config: Config;
  keys: ServerKeys | undefined;
  sql: Sql;
}) {
  const botName = createBotName({ sql, setting: config.telegram.username, now: Date.now });
  return async () =>
    publicConfigOf(config, { embeddedKey: await keys?.publishableKey(), botUsername: await botName() });
}

function limitsOf({ maxConnections, trustedProxies, requestBudget }: Config, floods: FloodWatch) {
  return {
    trustedProxies,
    connectionLimits: {
      connections: maxConnections.total,
      perAddress: trustedProxies === 0 ? maxConnections.perAddress : undefined,
      onCut: floods.onCut,
      onCount: floods.onCount,
    },
    freeRefusals: Math.max(MIN_FREE_REFUSALS, requestBudget.perAddress / 10),
  };
}

/** Waits for the step or the abort. An aborted step fails by itself when the database stops. */
function unlessAborted<T>(signal: AbortSignal | undefined, step: Promise<T>): Promise<T> {
  if (!signal) return step;
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    step.then(resolve, reject);
  });
}

function countingRefusals(backend: Backend, counters: Counters, floods: FloodWatch): Backend {
  return {
    ...backend,
    fetch: async (request, address, written) => {
      const answer = await backend.fetch(request, address, written);
      const isRefused = answer.status >= 400 && answer.status < 500;
      if (answer.status === 429)
        floods.onLimited(/^\/(\w+)\//.exec(new URL(request.url).pathname)?.[1] ?? "");
      if (isRefused && SIGN_IN.test(request.url)) counters.onSignInRefused(answer.status);
      return answer;
    },
  };
}

function metricsOf(options: Parameters<typeof startWorkers>[0]): Metrics | undefined {
  const { config, sql, counters, clock, logger } = options;
  if (config.metricsToken === undefined) return undefined;
  return createMetrics({
    token: config.metricsToken,
    registry: counters.registry,
    logger,
    readFigures: () => readFigures(sql, new Date(clock.now())),
    limits: {
      checkIntervalSeconds: config.checkIntervalSeconds,
      monthlyRequests: config.idealista?.monthlyRequests,
    },
  });
}
