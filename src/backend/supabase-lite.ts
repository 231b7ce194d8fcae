// Auth and data API as Supabase serves them, by @supabase/lite on our PostgreSQL. What it lacks is put right here or in
// front of it (auth-guard, rest-guard); docs/decisions/0006 lists each point.
import { AsyncLocalStorage } from "node:async_hooks";
import { fileURLToPath } from "node:url";
import { App, type EmailDriver, type ServerOptions } from "@supabase/lite";
import { createPostgresConnection } from "@supabase/lite/postgres";
import type { JWTPayload } from "jose";
import { createPoolProbe, LITE_CONNECTIONS, PEOPLE_LIMITS, type PoolProbe } from "./people-connections.ts";
import { runRequestsInOneFlight } from "./rest/request-context.ts";

export type SupabaseLiteOptions = {
  databaseUrl: string;
  jwtSecret: string;
  publishableKey: string;
  siteUrl: string;
  redirectUrls: string[];
  /** Gets the kind of the mail as its subject and the token's hash as its body. */
  sendRawMail: EmailDriver["send"];
  google?: { clientId: string; clientSecret: string };
};

export type SupabaseLite = {
  ensureSystemSchema: () => Promise<void>;
  fetch: (request: Request) => Promise<Response>;
  /**
   * Asks the data API for whom these claims name, which the caller has proved. With the error that a failed request came
   * to, which the answer hides.
   */
  ask: (request: Request, claims?: JWTPayload) => Promise<{ answer: Response; error: unknown }>;
  /** Whether its connections answer within a second. */
  isReady: PoolProbe;
  /** Whatever its connections are doing: after this long they are cut. */
  close: (timeout?: { seconds: number }) => Promise<void>;
};

const MIN_PASSWORD_LENGTH = 6;

export function createSupabaseLite(options: SupabaseLiteOptions): SupabaseLite {
  const connection = connectLite(options, { max: LITE_CONNECTIONS, connection: PEOPLE_LIMITS });
  const claimsOf = new WeakMap<Request, JWTPayload>();
  const app = createLiteApp(options, connection, claimsOf);
  runRequestsInOneFlight(connection);
  knowOnlyServedColumns(connection);
  const askAndKeepError = keepErrors(connection);
  // No peer address: admin mode stays out of reach for every request.
  const fetch = async (request: Request) => app.fetch(request, { peerAddress: null });
  return {
    ensureSystemSchema: async () => {
      // What changes the schema may take long, and people's limits would cut it.
      const unlimited = connectLite(options, { max: 1 });
      try {
        await createLiteApp(options, unlimited).ensureSystemSchema();
      } finally {
        await unlimited.close();
      }
    },
    fetch,
    ask: (request, claims) => {
      if (claims) claimsOf.set(request, claims);
      return askAndKeepError(() => fetch(request));
    },
    isReady: createPoolProbe(connection.driver, 1_000),
    close: async ({ seconds } = { seconds: 1 }) => connection.driver.end({ timeout: seconds }),
  };
}

type PostgresOptions = NonNullable<Parameters<typeof createPostgresConnection>[0]["postgresOptions"]>;
type PostgresConnection = ReturnType<typeof createPostgresConnection>;
type Middleware = NonNullable<ServerOptions["middlewares"]>[number];

export function connectLite(
  { databaseUrl }: SupabaseLiteOptions,
  postgresOptions: PostgresOptions,
): PostgresConnection {
  const connection = createPostgresConnection({
    url: databaseUrl,
    postgresOptions: { onnotice: () => {}, types: { timestamptz: isoTimestamps }, ...postgresOptions },
  });
  keepGrantsAsMigrated(connection);
  return connection;
}

/** lite as it is, but for its settings. */
export function createLiteApp(
  options: SupabaseLiteOptions,
  connection: PostgresConnection,
  claimsOf = new WeakMap<Request, JWTPayload>(),
): App {
  return new App({
    connection,
    auth: {
      enabled: true,
      jwt_secret: options.jwtSecret,
      publishable_key: options.publishableKey,
      site_url: options.siteUrl,
      additional_redirect_urls: options.redirectUrls,
      minimum_password_length: MIN_PASSWORD_LENGTH,
      // Tokens rotate all the same; lite's rule for one that comes twice knows no time, so refresh-guard has its own.
      enable_refresh_token_rotation: false,
      // A link's token is a hash of the address and this code: ten digits put it out of a guesser's reach.
      email: { otp_length: 10, otp_expiry: 3600, template: RAW_MAILS },
      external: { google: googleProvider(options) },
    },
    options: {
      drivers: { email: { send: options.sendRawMail } },
      server: { middlewares: [believeProvedClaims(claimsOf)] },
    },
  });
}

/** Whom our own check has found is not looked up again: lite would read the token twice more, the account and the session. */
function believeProvedClaims(claimsOf: WeakMap<Request, JWTPayload>): Middleware {
  return async (context, next) => {
    const claims = claimsOf.get(context.req.raw);
    // To lite, who writes it in another way is a guest.
    if (claims && context.req.header("authorization")?.startsWith("Bearer ")) {
      context.set("jwt", claims);
      context.set("userId", claims.sub);
      context.set("sessionId", String(claims.session_id));
      context.set("ignoreAuthorization", true);
    }
    await next();
  };
}

// PostgREST answers `2026-01-31T10:00:00+00:00`; PostgreSQL's own spelling with a blank is no date to Safari.
const isoTimestamps = {
  to: 1184,
  from: [1184],
  serialize: (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)),
  parse: (text: string) => text.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00"),
};

/** On its first request lite grants everything on every table to everyone; as if already done, it leaves them alone. */
function keepGrantsAsMigrated(connection: object): void {
  Object.assign(connection, { rlsState: "active" });
}

/**
 * For every request lite goes several times through all columns it knows. Most are of schemas that it does not serve, and
 * took a third of the time of a small answer.
 */
function knowOnlyServedColumns(connection: PostgresConnection): void {
  const introspect = connection.introspect.bind(connection);
  let known: Awaited<ReturnType<typeof introspect>> | undefined;
  let served = known;
  const introspectServed: typeof introspect = async (options) => {
    const found = await introspect(options);
    if (found === known && served) return served;
    known = found;
    served = { ...found, columns: found.columns.filter(({ schema }) => schema === "public") };
    return served;
  };
  Object.assign(connection, { introspect: introspectServed });
}

/** lite shows the connection each error of the data API before it turns it into words; here it is kept beside them. */
function keepErrors(connection: object) {
  const kept = new AsyncLocalStorage<{ error: unknown }>();
  Object.assign(connection, {
    normalizeDbError: (error: unknown) => {
      const asked = kept.getStore();
      if (asked) asked.error = error;
      return error;
    },
  });
  return async (act: () => Promise<Response>) => {
    const asked: { error: unknown } = { error: undefined };
    const answer = await kept.run(asked, act);
    return { answer, error: asked.error };
  };
}

// lite fills in blanks and knows no languages: our mails are written elsewhere, from the one value they need.
const tokenHash = fileURLToPath(new URL("./auth/token-hash.txt", import.meta.url));
const RAW_MAILS = {
  recovery: { subject: "recovery", content_path: tokenHash },
  confirmation: { subject: "confirmation", content_path: tokenHash },
};

function googleProvider({ google, siteUrl }: SupabaseLiteOptions) {
  if (!google) return { enabled: false };
  const { clientId, clientSecret } = google;
  return {
    enabled: true,
    client_id: clientId,
    secret: clientSecret,
    redirect_uri: `${siteUrl}/auth/v1/callback`,
  };
}
