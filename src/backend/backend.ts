// The embedded Supabase: auth, data API and realtime on one PostgreSQL. It knows nothing about property: the migrations
// define what it serves.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "#core/ports/logger.ts";
import { openPool, useAllConnections } from "#platform/database/open-pool.ts";
import type { WatchedPools } from "#platform/database/watch-pools.ts";
import { sleep } from "#platform/timing.ts";
import { answerPreflight, withOrigin } from "./allowed-origins.ts";
import { type Bearer, createAccessTokenCheck, tokenIn } from "./auth/access-token.ts";
import { authError } from "./auth/auth-error.ts";
import type { AuthServiceOptions } from "./auth/auth-parts.ts";
import { type AuthService, createAuthService } from "./auth/auth-service.ts";
import { createSecurityEvents } from "./auth/events/security-events.ts";
import { googleProvider, telegramProvider } from "./auth/providers/providers.ts";
import { createSessions } from "./auth/sessions.ts";
import type { WatchedTables } from "./realtime/realtime-schema.ts";
import { createRealtimeServer } from "./realtime/realtime-server.ts";
import { createExportLimit } from "./rest/answer-budget.ts";
import type { AroundCall } from "./rest/around-call.ts";
import type { Catalogue } from "./rest/catalogue.ts";
import { createDataGate } from "./rest/data-gate.ts";
import { busyAnswer, isBusy } from "./rest/database-error.ts";
import { type ApiRequestBudget, createRestApi } from "./rest/rest-api.ts";
import { restError } from "./rest/rest-error.ts";
import type { ServerKeys } from "./server-keys.ts";
import {
  AUTH_CONNECTIONS,
  createPoolProbe,
  DATA_CONNECTIONS,
  isQueryTimeout,
  PEOPLE_LIMITS,
  queryTimeoutAnswer,
  SESSION_CONNECTIONS,
} from "./user-pool.ts";

export type BackendOptions = Pick<
  AuthServiceOptions,
  | "siteUrl"
  | "redirectUrls"
  | "languageOf"
  | "sendMail"
  | "sessionLimits"
  | "signUpsPerAddressPerDay"
  | "botToken"
  | "now"
> & {
  /** Logs in with a role that owns nothing, for people's requests. */
  peopleDatabaseUrl: string;
  authDatabaseUrl: string;
  /** Open before the backend starts and stop after it closes: revoked keys close realtime connections here. */
  keys: ServerKeys;
  /** `url`: an OpenID provider to use instead of Google, or of Telegram. */
  google?: { clientId: string; clientSecret: string; url?: string };
  telegram?: { clientId: string; clientSecret: string; url?: string };
  realtimeTables: WatchedTables;
  catalogue: Catalogue;
  allowedOrigins: readonly string[];
  logger: Logger;
  addressOf: (request: IncomingMessage) => string;
  /** Requests per minute, counted for auth and the data API together. */
  requestBudget: ApiRequestBudget;
};

export type Backend = {
  /** Resolves when realtime listens to the database and the connections are open. */
  ready: Promise<void>;
  /** `written` resolves when the answer has been written, or its reader is gone. */
  fetch: (request: Request, address: string, written?: Promise<unknown>) => Promise<Response>;
  /** Who asks; undefined without a living session. A session may end at once: check it again in the statement that acts. */
  bearerOf: (headers: Headers) => Promise<Bearer | undefined>;
  handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  /** Closes all realtime connections, for example because keys were revoked. */
  closeConnections: (reason: string) => void;
  /** Closes realtime connections for shutdown: an HTTP server waits for open sockets before it closes. */
  closeRealtime: () => Promise<void>;
  isReady: () => Promise<boolean>;
  /** The pools that people's requests need. */
  pools: WatchedPools;
  close: () => Promise<void>;
};

const IDLE_MS = 1_000;
const HOUSEKEEPING_MS = 10 * 60_000;

/** Functions of the data API that require the current password, or a recent sign-in. */
const PROVEN_CALLS = ["delete_my_account", "allow_telegram_link", "unlink_telegram"];

export const BACKEND_PREFIXES = ["/auth/v1/", "/rest/v1/"] as const;

export function createBackend(options: BackendOptions): Backend {
  const { keys, logger, authDatabaseUrl, peopleDatabaseUrl } = options;
  const sql = openPool(authDatabaseUrl, { max: AUTH_CONNECTIONS, settings: PEOPLE_LIMITS });
  const sessionsSql = openPool(authDatabaseUrl, { max: SESSION_CONNECTIONS, settings: PEOPLE_LIMITS });
  const people = openPool(peopleDatabaseUrl, { max: DATA_CONNECTIONS, settings: PEOPLE_LIMITS });
  const pools = [sql, sessionsSql, people];
  const { record } = createSecurityEvents({ sql, secret: keys.hashSecret, now: options.now });
  const auth = createAuthService({
    ...options,
    ...{ sql, sessionsSql },
    providers: providersOf(options),
    requestsPerAddress: options.requestBudget.perAddress,
    onEvent: record,
    onBackgroundError: (error) => logger.error({ err: error }, "a background task of auth failed"),
  });
  const services: Record<(typeof BACKEND_PREFIXES)[number], Backend["fetch"]> = {
    "/auth/v1/": auth.fetch,
    "/rest/v1/": createRestApi({
      ...options,
      people,
      isPublishableKey: keys.isPublishableKey,
      aroundCall: aroundCalls(auth, options.now),
      inTurn: createDataGate(),
      checkToken: auth.checkToken,
      budget: options.requestBudget,
    }),
  };
  const realtime = createRealtimeServer({
    ...options,
    tables: options.realtimeTables,
    verifyToken: createAccessTokenCheck({ keys, hasSession: async () => true, now: options.now }),
    createSessionCheck: (sessionsSql) =>
      createSessions({ sql: sessionsSql, limits: options.sessionLimits, now: options.now }).isAlive,
    isApiKey: keys.isPublishableKey,
  });
  // A pool that cannot connect now connects on its first requests.
  const opened = Promise.allSettled(pools.map(useAllConnections));
  const probes = pools.map((pool) => createPoolProbe(pool, 1_000));
  const housekeeping = startHousekeeping(auth, logger);
  return {
    ready: Promise.all([realtime.ready, opened]).then(() => {}),
    fetch: async (request, address, written) => {
      const { pathname } = new URL(request.url);
      const prefix = BACKEND_PREFIXES.find((begin) => pathname.startsWith(begin));
      if (!prefix) return authError(404, "not_found", "There is nothing here");
      const preflight = answerPreflight(request, options.allowedOrigins);
      if (preflight) return preflight;
      const answer = services[prefix](request, address, written).catch((error) =>
        outageAnswer(error, request, logger),
      );
      return withOrigin(await answer, request, options.allowedOrigins);
    },
    bearerOf: (headers) => bearerOf(auth, headers),
    handleUpgrade: async (request, socket, head) => {
      if (!realtime.handleUpgrade(request, socket, head)) socket.destroy();
    },
    closeConnections: realtime.closeAll,
    closeRealtime: async () => realtime.close(),
    isReady: async () => (await Promise.all(probes.map((isAnswering) => isAnswering()))).every(Boolean),
    pools: {
      "sign-in": { sql, url: authDatabaseUrl },
      "session checks": { sql: sessionsSql, url: authDatabaseUrl },
      "people's requests": { sql: people, url: peopleDatabaseUrl },
    },
    close: async () => {
      clearInterval(housekeeping);
      // Mails being sent get a limited time: closing must never hang.
      await Promise.race([Promise.all([auth.idle(), realtime.close()]), sleep(IDLE_MS)]);
      await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
    },
  };
}

function startHousekeeping(auth: AuthService, logger: Logger): NodeJS.Timeout {
  const onError = (error: unknown) => logger.error({ err: error }, "deleting expired sessions failed");
  return setInterval(() => auth.deleteExpired().catch(onError), HOUSEKEEPING_MS);
}

async function bearerOf({ checkToken }: AuthService, headers: Headers): Promise<Bearer | undefined> {
  const answer = await checkToken(tokenIn(headers) ?? "");
  return answer.ok ? answer.bearer : undefined;
}

function providersOf({ google, telegram }: BackendOptions) {
  return [...(google ? [googleProvider(google)] : []), ...(telegram ? [telegramProvider(telegram)] : [])];
}

const aroundCalls = (auth: AuthService, now: () => number): ReadonlyMap<string, AroundCall> =>
  new Map([
    ...PROVEN_CALLS.map((name) => [name, withProof(auth)] as const),
    ["export_my_data", createExportLimit(now)],
  ]);

/** Translates the auth service's refusal into the data API's error format. */
function withProof({ proveForCall }: AuthService): AroundCall {
  return async ({ name, args, bearer, caller }, run) => {
    const given = args.get("current_password");
    const currentPassword = typeof given === "string" ? given : undefined;
    const proven = await proveForCall({ call: name, bearer, caller, currentPassword });
    if ("proof" in proven) return run(proven.proof);
    const { status, code: details, message } = proven.refusal;
    const refused = status === 429 ? { status, code: "PT429" } : { status: 403, code: "PT403" };
    return restError({ ...refused, details, message });
  };
}

/** A database outage is answered with 503 or 504, never 500, so that clients retry. */
function outageAnswer(error: unknown, request: Request, logger: Logger): Response {
  const isAuth = new URL(request.url).pathname.startsWith("/auth/v1/");
  if (isQueryTimeout(error))
    return isAuth ? authError(504, "request_timeout", TIMED_OUT) : queryTimeoutAnswer();
  if (!isBusy(error)) throw error;
  logger.error({ err: error }, "a request failed because the database is unavailable");
  return isAuth ? authError(503, "unexpected_failure", AWAY, { "retry-after": "1" }) : busyAnswer();
}

const TIMED_OUT = "Processing this request timed out, please retry after a moment.";
const AWAY = "The database is temporarily unavailable";
