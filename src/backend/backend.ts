// The embedded Supabase: auth and data API (lite) behind our guards, and realtime, on one PostgreSQL. It knows nothing
// of property: what there is to serve, the migrations say.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { type CheckAccessToken, createAccessTokenCheck, tokenIn } from "./guard/access-token.ts";
import { authError } from "./guard/auth-error.ts";
import { createAuthGuard } from "./guard/auth-guard.ts";
import { mailDriver, type SendAuthMail } from "./guard/auth-mail.ts";
import { createAuthRecords } from "./guard/auth-records.ts";
import { createDataGate } from "./guard/data-gate.ts";
import { createGoogleFlow } from "./guard/google-flow.ts";
import { createRedirects } from "./guard/redirects.ts";
import { realtimeRefusal, restRefusal } from "./guard/refusals.ts";
import { mendRestAnswer } from "./guard/rest-guard.ts";
import { createSignUpLimit } from "./guard/sign-up-limit.ts";
import {
  createPoolProbe,
  cutOffAnswer,
  GUARD_CONNECTIONS,
  isCutOff,
  PEOPLE_LIMITS,
} from "./people-connections.ts";
import { prepareDatabase } from "./prepare-database.ts";
import type { Logger } from "./realtime/logger.ts";
import { createRealtimeServer, type RealtimeServer } from "./realtime/realtime-server.ts";
import { createTokenVerifier } from "./realtime/verify-token.ts";
import { createSupabaseLite, type SupabaseLiteOptions } from "./supabase-lite.ts";

export type BackendOptions = Omit<SupabaseLiteOptions, "sendRawMail" | "google"> & {
  sendMail: SendAuthMail;
  /** `url`: another OpenID provider in Google's place. */
  google?: { clientId: string; clientSecret: string; url?: string };
  migrationsFolder: string;
  /** Accounts made from one address in 24 hours; 0 for any number. */
  signUpsPerAddressPerDay: number;
  now: () => number;
  logger: Logger;
  /** Whom a connection comes from, for the limits. */
  addressOf: (request: IncomingMessage) => string;
};

export type Backend = {
  /** Brings the database to today's schema; names what it applied. */
  prepare: () => Promise<string[]>;
  fetch: (request: Request, address: string) => Promise<Response>;
  handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Ends the live connections, which an HTTP server that closes would wait for. */
  hangUp: () => Promise<void>;
  isReady: () => Promise<boolean>;
  close: () => Promise<void>;
};

const IDLE_MS = 1_000;

export const BACKEND_PREFIXES = ["/auth/v1/", "/rest/v1/"];

export function createBackend(options: BackendOptions): Backend {
  const sql = postgres(options.databaseUrl, {
    max: GUARD_CONNECTIONS,
    onnotice: () => {},
    connection: PEOPLE_LIMITS,
  });
  const guardAnswers = createPoolProbe(sql, 1_000);
  const records = createAuthRecords(sql);
  const lite = createSupabaseLite({
    ...options,
    sendRawMail: mailDriver({ send: options.sendMail, metadataOf: records.metadataOf }),
  });
  const checkToken = createAccessTokenCheck({
    secret: options.jwtSecret,
    hasSession: records.hasSession,
    now: options.now,
  });
  const redirects = createRedirects(options.siteUrl, options.redirectUrls);
  const signUps = createSignUpLimit({
    sql,
    perDay: options.signUpsPerAddressPerDay,
    secret: options.jwtSecret,
    now: options.now,
  });
  const guard = createAuthGuard({
    forward: lite.fetch,
    records,
    checkToken,
    redirects,
    google: createGoogleFlow({
      forward: lite.fetch,
      records,
      redirects,
      signUps,
      providerUrl: options.google?.url,
    }),
    signUps,
    now: options.now,
    onBackgroundError: (error) => options.logger.error({ err: error }, "auth"),
  });
  const dataGate = createDataGate();
  const route = async (request: Request, address: string) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/auth/v1/")) return guard.fetch(request, address);
    const token = tokenIn(request.headers);
    const answer = token === undefined ? undefined : await checkToken(token);
    if (answer && !answer.ok) return restRefusal(answer.reason);
    // Whole before it takes a place: who sends slowly must not hold one meanwhile.
    const whole = await wholeRequest(request);
    const person = answer?.bearer.userId ?? address;
    return dataGate({ person, address }, async () => mendRestAnswer(await lite.fetch(whole)));
  };
  let realtime: RealtimeServer | undefined;
  return {
    prepare: async () => {
      const applied = await prepareDatabase({ ...options, lite });
      realtime = startRealtime(options, checkToken);
      await realtime.ready;
      return applied;
    },
    fetch: async (request, address) =>
      sameOriginOnly(await route(request, address).catch((error) => timedOut(error, request))),
    handleUpgrade: (request, socket, head) => {
      if (!realtime?.handleUpgrade(request, socket, head)) socket.destroy();
    },
    hangUp: async () => realtime?.close(),
    isReady: async () => (await Promise.all([lite.isReady(), guardAnswers()])).every(Boolean),
    close: async () => {
      // Mails on their way get as long as the connections they need have: nothing here waits without end.
      await Promise.race([Promise.all([guard.idle(), realtime?.close()]), pause(IDLE_MS)]);
      await Promise.all([lite.close(), sql.end({ timeout: 1 })]);
    },
  };
}

function startRealtime(options: BackendOptions, checkToken: CheckAccessToken): RealtimeServer {
  const verify = createTokenVerifier({ secret: options.jwtSecret });
  return createRealtimeServer({
    databaseUrl: options.databaseUrl,
    verifyToken: async (token) => {
      const check = await verify(token);
      const answer = check.ok ? await checkToken(token) : undefined;
      return !answer || answer.ok ? check : { ok: false, reason: realtimeRefusal(answer.reason) };
    },
    // The key is public: it says which project is meant, not who asks.
    isApiKeyValid: (key) => key === options.publishableKey,
    logger: options.logger,
    addressOf: options.addressOf,
  });
}

async function wholeRequest(request: Request): Promise<Request> {
  if (request.body === null) return request;
  const { url, method, headers } = request;
  return new Request(url, { method, headers, body: await request.arrayBuffer() });
}

/** What the guards themselves could not ask in time, in the words of the service that was asked. */
function timedOut(error: unknown, request: Request): Response {
  if (!isCutOff(error)) throw error;
  if (!new URL(request.url).pathname.startsWith("/auth/v1/")) return cutOffAnswer();
  return authError(504, "request_timeout", "Processing this request timed out, please retry after a moment.");
}

/** The web app is served from here too: no other site's page needs to read these answers. */
function sameOriginOnly(answer: Response): Response {
  const headers = new Headers(answer.headers);
  for (const name of [...headers.keys()]) if (name.startsWith("access-control-")) headers.delete(name);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return new Response(answer.body, { status: answer.status, headers });
}
