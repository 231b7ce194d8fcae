// The embedded auth, data API and realtime, used without hosted Supabase.
import type { Sql } from "postgres";
import { type Backend, createBackend } from "#backend/backend.ts";
import type { DatabaseUrls } from "#backend/login-roles.ts";
import type { WatchedTables } from "#backend/realtime/realtime-schema.ts";
import type { Catalogue } from "#backend/rest/catalogue.ts";
import { openServerKeys, type ServerKeys } from "#backend/server-keys.ts";
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import type { Jobs } from "#platform/database/jobs.ts";
import { createAuthMailSender } from "./account-mails/send-mails.ts";
import type { Config } from "./config.ts";
import { addressOfRequest } from "./http/http-app.ts";
import type { ServerLogger } from "./log.ts";
import type { StopSteps } from "./stop-steps.ts";

export async function startEmbeddedSupabase(
  options: Omit<Parameters<typeof createEmbeddedSupabase>[0], "keys"> & {
    sql: Sql;
    /** Secrets that the log redacts. */
    hidden: string[];
    stops: StopSteps;
  },
): Promise<{ keys: ServerKeys; backend: Backend }> {
  const { config, sql, databaseUrl, hidden, stops } = options;
  let backend: Backend | undefined;
  const keys = await openServerKeys({
    ...{ sql, databaseUrl, jwtSecret: config.jwtSecret, now: Date.now },
    onRevoked: () => backend?.closeConnections("the keys were replaced"),
    onSecret: (secret) => hidden.push(secret),
  });
  stops.push({ name: "keys", withinMs: 1_500, act: keys.stop });
  backend = createEmbeddedSupabase({ ...options, keys });
  stops.push({ name: "backend", withinMs: 2_500, act: backend.close });
  return { keys, backend };
}

function createEmbeddedSupabase(options: {
  config: Config;
  databaseUrl: string;
  urls: DatabaseUrls;
  jobs: Jobs;
  logger: ServerLogger;
  keys: ServerKeys;
  realtimeTables: WatchedTables;
  catalogue: Catalogue;
}): Backend {
  const { config, jobs } = options;
  return createBackend({
    ...options,
    peopleDatabaseUrl: options.urls.people,
    authDatabaseUrl: options.urls.auth,
    sessionLimits: config.sessionLimits,
    allowedOrigins: config.allowedOrigins,
    siteUrl: config.siteUrl,
    redirectUrls: redirectUrlsOf(config.siteUrl),
    sendMail: createAuthMailSender({
      jobs,
      operator: config.operator,
      siteUrl: config.siteUrl,
      now: Date.now,
    }),
    ...(config.google ? { google: config.google } : {}),
    signUpsPerAddressPerDay: config.signUpsPerAddressPerDay,
    now: Date.now,
    addressOf: (request) => addressOfRequest(request, config.trustedProxies),
    requestBudget: config.requestBudget,
  });
}

/** The URLs that mailed links and Google may return to. They are matched exactly, so each one is listed. */
function redirectUrlsOf(siteUrl: string): string[] {
  return LANGUAGES.flatMap((language) => [
    `${siteUrl}${localizedPath("/", language)}`,
    `${siteUrl}${localizedPath("/reset-password", language)}`,
  ]);
}
