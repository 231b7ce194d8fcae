// Auth as Supabase serves it, by @supabase/lite on our PostgreSQL. What it lacks is put right here or in front of it
// (auth-guard); docs/decisions/0006 lists each point.
import { fileURLToPath } from "node:url";
import { App, type EmailDriver } from "@supabase/lite";
import { createPostgresConnection } from "@supabase/lite/postgres";
import type { ParameterOrJSON, ReservedSql } from "postgres";
import { isLost } from "#store/connection/in-transaction.ts";
import { createPoolProbe, LITE_CONNECTIONS, PEOPLE_LIMITS, type PoolProbe } from "./people-connections.ts";

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
  /** Whether its connections answer within a second. */
  isReady: PoolProbe;
  /** Whatever its connections are doing: after this long they are cut. */
  close: (timeout?: { seconds: number }) => Promise<void>;
};

const MIN_PASSWORD_LENGTH = 6;

export function createSupabaseLite(options: SupabaseLiteOptions): SupabaseLite {
  const connection = connectLite(options, { max: LITE_CONNECTIONS, connection: PEOPLE_LIMITS });
  const app = createLiteApp(options, connection);
  keepLostConnections(connection);
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
    isReady: createPoolProbe(connection.driver, 1_000),
    close: async ({ seconds } = { seconds: 1 }) => connection.driver.end({ timeout: seconds }),
  };
}

type PostgresOptions = NonNullable<Parameters<typeof createPostgresConnection>[0]["postgresOptions"]>;
type PostgresConnection = ReturnType<typeof createPostgresConnection>;

function connectLite(
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
function createLiteApp(options: SupabaseLiteOptions, connection: PostgresConnection): App {
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
    options: { drivers: { email: { send: options.sendRawMail } } },
  });
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
 * A reserved connection that was lost is not released: the driver would take it for an open one, and the next request on it
 * would end the process with an exception that cannot be caught.
 */
function keepLostConnections({ driver }: PostgresConnection): void {
  const reserve = driver.reserve.bind(driver);
  Object.assign(driver, { reserve: async () => keepIfLost(await reserve()) });
}

function keepIfLost(reserved: ReservedSql) {
  let lost: unknown;
  return {
    unsafe: async (text: string, parameters: ParameterOrJSON<never>[]) => {
      if (lost) throw lost;
      try {
        return await reserved.unsafe(text, parameters);
      } catch (error) {
        if (isLost(error)) lost = error;
        throw error;
      }
    },
    release: () => {
      if (!lost) reserved.release();
    },
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
