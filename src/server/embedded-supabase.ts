// The embedded auth, data API and realtime, used without hosted Supabase.
import type { Sql } from "postgres";
import { type Backend, createBackend } from "#backend/backend.ts";
import type { DatabaseUrls } from "#backend/login-roles.ts";
import type { WatchedTables } from "#backend/realtime/realtime-schema.ts";
import type { Catalogue } from "#backend/rest/catalogue.ts";
import { openServerKeys, type ServerKeys } from "#backend/server-keys.ts";
import { LANGUAGES, languageOfPath, localizedPath } from "#core/languages.ts";
import type { DatabaseClock } from "#platform/database/database-clock.ts";
import type { Jobs } from "#platform/database/jobs.ts";
import { createAuthMailSender } from "./account-mails/send-mails.ts";
import type { Config } from "./config.ts";
import { addressOfRequest } from "./http/http-app.ts";
import type { ServerLogger } from "./log.ts";
import type { StopSteps } from "./stop-steps.ts";

export async function startEmbeddedSupabase(options: {
  config: Config;
  databaseUrl: string;
  urls: DatabaseUrls;
  sql: Sql;
  jobs: Jobs;
  clock: DatabaseClock;
  logger: ServerLogger;
  realtimeTables: WatchedTables;
  catalogue: Catalogue;
  /** Secrets that the log redacts. */
  hidden: string[];
  stops: StopSteps;
}): Promise<{ keys: ServerKeys; backend: Backend }> {
  const { config, sql, databaseUrl, jobs, clock, hidden, stops } = options;
  const { siteUrl, operator, signIn } = config;
  const { now } = clock;
  let backend: Backend | undefined;
  const keys = await openServerKeys({
    ...{ sql, databaseUrl, jwtSecret: config.jwtSecret, now },
    onRevoked: () => backend?.closeConnections("the keys were replaced"),
    onSecret: (secret) => hidden.push(secret),
  });
  stops.push({ name: "keys", withinMs: 1_500, act: keys.stop });
  backend = createBackend({
    ...options,
    ...{ keys, siteUrl, now },
    peopleDatabaseUrl: options.urls.people,
    authDatabaseUrl: options.urls.auth,
    sessionLimits: config.sessionLimits,
    allowedOrigins: config.allowedOrigins,
    redirectUrls: redirectUrlsOf(siteUrl),
    languageOf: (redirectUrl) => languageOfPath(new URL(redirectUrl).pathname),
    sendMail: createAuthMailSender({ jobs, operator, siteUrl, now }),
    ...(signIn.google ? { google: signIn.google } : {}),
    ...(signIn.telegram ? { telegram: signIn.telegram } : {}),
    ...(config.telegram.miniApp ? { botToken: config.telegram.token } : {}),
    signUpsPerAddressPerDay: config.signUpsPerAddressPerDay,
    addressOf: (request) => addressOfRequest(request, config.trustedProxies),
    requestBudget: config.requestBudget,
  });
  stops.push({ name: "backend", withinMs: 2_500, act: backend.close });
  return { keys, backend };
}

/** The URLs that mailed links, Google and Telegram may return to. They are matched exactly, so each one is listed. */
function redirectUrlsOf(siteUrl: string): string[] {
  return LANGUAGES.flatMap((language) =>
    ["/", "/reset-password", "/profile"].map((path) => `${siteUrl}${localizedPath(path, language)}`),
  );
}
