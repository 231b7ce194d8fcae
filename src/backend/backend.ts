// The embedded Supabase: auth (lite, behind our guards), data API and realtime on one PostgreSQL. It knows nothing of
// property: what there is to serve, the migrations say.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { answerPreflight, withOrigin } from "./allowed-origins.ts";
import { type CheckAccessToken, createAccessTokenCheck } from "./auth/access-token.ts";
import { authError, rateLimited } from "./auth/auth-error.ts";
import { type AuthGuard, createAuthGuard } from "./auth/auth-guard.ts";
import { mailDriver, type SendAuthMail } from "./auth/auth-mail.ts";
import { type AuthRecords, createAuthRecords } from "./auth/auth-records.ts";
import { createGoogleFlow } from "./auth/google-flow.ts";
import { HASHING_REQUESTS } from "./auth/password-hashing.ts";
import { createReauthentication } from "./auth/reauthentication.ts";
import { createRedirects } from "./auth/redirects.ts";
import { createSignIn } from "./auth/sign-in.ts";
import { createAuthLimits } from "./limits/auth-limits.ts";
import { createDataGate } from "./limits/data-gate.ts";
import { createGate } from "./limits/gate.ts";
import { createRateLimiter } from "./limits/rate-limit.ts";
import { createSignUpLimit } from "./limits/sign-up-limit.ts";
import { createKeyTranslator } from "./other-keys.ts";
import {
  createPoolProbe,
  cutOffAnswer,
  DATA_CONNECTIONS,
  GUARD_CONNECTIONS,
  isCutOff,
  PEOPLE_LIMITS,
} from "./people-connections.ts";
import type { WatchedTables } from "./realtime/realtime-schema.ts";
import { createRealtimeServer } from "./realtime/realtime-server.ts";
import type { Catalogue } from "./rest/catalogue.ts";
import { busyAnswer, isBusy } from "./rest/database-error.ts";
import { readQueryString } from "./rest/query-string.ts";
import { type AroundCall, createRestApi, type RequestBudget } from "./rest/rest-api.ts";
import type { OtherKey } from "./server-keys.ts";
import { createSupabaseLite, type SupabaseLite, type SupabaseLiteOptions } from "./supabase-lite.ts";

export type BackendOptions = Omit<SupabaseLiteOptions, "sendRawMail" | "google"> & {
  /** The login for people's requests, which owns nothing. */
  peopleDatabaseUrl: string;
  sendMail: SendAuthMail;
  /** `url`: another OpenID provider in Google's place. */
  google?: { clientId: string; clientSecret: string; url?: string };
  /** Of the database, which is prepared before. */
  realtimeTables: WatchedTables;
  catalogue: Catalogue;
  /** Of sites on other addresses whose pages may call. */
  allowedOrigins: readonly string[];
  /** Keys of other processes on this database, where there may be any. */
  readHonouredKeys?: (() => Promise<OtherKey[]>) | undefined;
  /** Accounts made from one address in 24 hours; 0 for any number. */
  signUpsPerAddressPerDay: number;
  now: () => number;
  logger: Logger;
  /** Whom a connection comes from, for the limits. */
  addressOf: (request: IncomingMessage) => string;
  /** Requests a minute, to auth and to the data API alike. */
  requestBudget: RequestBudget;
};

export type Backend = {
  /** Everything that is to be heard of the database is heard. */
  ready: Promise<void>;
  fetch: (request: Request, address: string) => Promise<Response>;
  handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  /** Ends the live connections, which an HTTP server that closes would wait for. */
  hangUp: () => Promise<void>;
  isReady: () => Promise<boolean>;
  close: () => Promise<void>;
};

const IDLE_MS = 1_000;

export const BACKEND_PREFIXES = ["/auth/v1/", "/rest/v1/"] as const;

export function createBackend(options: BackendOptions): Backend {
  const sql = postgres(options.databaseUrl, {
    max: GUARD_CONNECTIONS,
    onnotice: () => {},
    connection: PEOPLE_LIMITS,
  });
  const people = postgres(options.peopleDatabaseUrl, {
    max: DATA_CONNECTIONS,
    onnotice: () => {},
    connection: PEOPLE_LIMITS,
  });
  const probes = [createPoolProbe(sql, 1_000), createPoolProbe(people, 1_000)];
  const records = createAuthRecords(sql);
  const lite = createSupabaseLite({
    ...options,
    sendRawMail: mailDriver({ send: options.sendMail, metadataOf: records.metadataOf }),
  });
  const keys = createKeyTranslator({
    ours: options,
    readHonoured: options.readHonouredKeys,
    now: options.now,
  });
  const createTokenCheck = (hasSession: AuthRecords["hasSession"]): CheckAccessToken => {
    const check = createAccessTokenCheck({ secret: options.jwtSecret, hasSession, now: options.now });
    return async (token) => check(await keys.token(token));
  };
  const checkToken = createTokenCheck(records.hasSession);
  const { guard, doors } = createDoors({ ...options, sql, people, lite, records, checkToken });
  const realtime = createRealtimeServer({
    ...options,
    tables: options.realtimeTables,
    peopleDatabaseUrl: options.peopleDatabaseUrl,
    authDatabaseUrl: options.databaseUrl,
    verifyToken: createTokenCheck(async () => true),
    createSessionCheck: (sessionsSql) => createAuthRecords(sessionsSql).hasSession,
    // The key is public: it says which project is meant, not who asks.
    apiKey: options.publishableKey,
  });
  return {
    ready: realtime.ready,
    fetch: async (request, address) => {
      const { pathname } = new URL(request.url);
      const prefix = BACKEND_PREFIXES.find((begin) => pathname.startsWith(begin));
      if (!prefix) return authError(404, "not_found", "There is nothing here");
      const preflight = answerPreflight(request, options.allowedOrigins);
      if (preflight) return preflight;
      const answer = keys
        .request(request)
        .then((translated) => doors[prefix](translated, address))
        .catch((error) => inTrouble(error, request, options.logger));
      return withOrigin(await answer, request, options.allowedOrigins);
    },
    handleUpgrade: async (request, socket, head) => {
      request.url = await keys.url(request.url ?? "");
      if (!realtime.handleUpgrade(request, socket, head)) socket.destroy();
    },
    hangUp: async () => realtime.close(),
    isReady: async () =>
      (await Promise.all([lite.isReady(), ...probes.map((answers) => answers())])).every(Boolean),
    close: async () => {
      // Mails on their way get as long as the connections they need have: nothing here waits without end.
      await Promise.race([Promise.all([guard.idle(), realtime.close()]), pause(IDLE_MS)]);
      await Promise.all([lite.close(), sql.end({ timeout: 1 }), people.end({ timeout: 1 })]);
    },
  };
}

type Doors = Record<(typeof BACKEND_PREFIXES)[number], Backend["fetch"]>;

/** The guards, each before what it guards: nothing reaches the auth service or the data API but through them. */
function createDoors(
  options: BackendOptions & {
    sql: Sql;
    people: Sql;
    lite: SupabaseLite;
    records: AuthRecords;
    checkToken: CheckAccessToken;
  },
): { guard: AuthGuard; doors: Doors } {
  const { sql, lite, records, checkToken, now } = options;
  const redirects = createRedirects(options.siteUrl, options.redirectUrls);
  const limits = createAuthLimits({ sql, secret: options.jwtSecret });
  const hashing = createGate(HASHING_REQUESTS);
  const signIn = createSignIn({ limits, records, now });
  const reauthentication = createReauthentication({ records, signIn, hashing, now });
  const forward = async (request: Request) => lite.fetch(await underOurName(request, options.siteUrl));
  const signUps = createSignUpLimit({
    sql,
    perDay: options.signUpsPerAddressPerDay,
    secret: options.jwtSecret,
    now,
  });
  const guard = createAuthGuard({
    forward,
    records,
    checkToken,
    redirects,
    google: createGoogleFlow({
      forward,
      records,
      redirects,
      signUps,
      providerUrl: options.google?.url,
    }),
    limits,
    hashing,
    signIn,
    signUps,
    reauthentication,
    now,
    onBackgroundError: (error) => options.logger.error({ err: error }, "auth"),
  });
  const doors: Doors = {
    "/auth/v1/": createAuthDoor(options, guard.fetch),
    "/rest/v1/": createRestApi({
      ...options,
      aroundCall: new Map<string, AroundCall>([["delete_my_account", reauthentication.deleteAccount]]),
      inTurn: createDataGate(),
      checkToken,
      budget: options.requestBudget,
    }),
  };
  return { guard, doors };
}

/** What holds for every auth route: a budget for those that have no limit of their own, and a query that can be read. */
function createAuthDoor(options: BackendOptions, guarded: Backend["fetch"]): Backend["fetch"] {
  const { perAddress } = options.requestBudget;
  const budget = createRateLimiter({
    perWindow: perAddress,
    windowMs: 60_000,
    burst: Math.ceil(perAddress / 4),
  });
  return async (request, address) => {
    if (!budget.take(address, options.now())) return rateLimited();
    if (!readQueryString(new URL(request.url).search)) return authError(400, "validation_failed", BAD_QUERY);
    return requireNoFailure(await guarded(request, address));
  };
}

/** The request with the path that was judged, and nothing else of the address it came to. */
async function underOurName(request: Request, siteUrl: string): Promise<Request> {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  const body = method === "GET" || method === "HEAD" ? "" : await request.text();
  return new Request(new URL(`${pathname}${search}`, siteUrl), {
    method,
    headers,
    ...(body ? { body } : {}),
  });
}

/** What the auth service calls its own failure is told by nobody but the log. */
function requireNoFailure(answer: Response): Response {
  if (answer.status >= 500) throw new Error(`The auth service answered ${answer.status}`);
  return answer;
}

/**
 * What the guards themselves could not ask, in the words of the service that was asked. Never 500 for a database that is
 * away: supabase-js would end the session of a tab that refreshes just then, and 503 it asks again.
 */
function inTrouble(error: unknown, request: Request, logger: Logger): Response {
  const isAuth = new URL(request.url).pathname.startsWith("/auth/v1/");
  if (isCutOff(error)) return isAuth ? authError(504, "request_timeout", TIMED_OUT) : cutOffAnswer();
  if (!isBusy(error)) throw error;
  logger.error({ err: error }, "a request could not be served without the database");
  return isAuth ? authError(503, "unexpected_failure", AWAY, { "retry-after": "1" }) : busyAnswer();
}

const BAD_QUERY = "The query is not percent-encoded UTF-8, or holds a null character";
const TIMED_OUT = "Processing this request timed out, please retry after a moment.";
const AWAY = "The database cannot answer right now";
