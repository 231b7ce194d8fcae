import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import postgres from "postgres";
import type { AuthServiceOptions } from "#backend/auth/auth-parts.ts";
import { type AuthService, createAuthService } from "#backend/auth/auth-service.ts";
import { embeddedUrls } from "#backend/login-roles.ts";
import type { ServerKeys } from "#backend/server-keys.ts";
import { tokenKeysOf } from "./forged-tokens.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

const DAY_MS = 86_400_000;
const KEY = "sb_publishable_for_tests";

type Event = Parameters<NonNullable<AuthServiceOptions["onEvent"]>>[0];
type Mail = Parameters<AuthServiceOptions["sendMail"]>[0];

export type TestAuth = {
  auth: AuthService;
  database: TestDatabase;
  /** The server's time. */
  clock: { now: () => number; advance: (ms: number) => void };
  mails: Mail[];
  events: Event[];
  send: (
    path: string,
    request?: { method?: string; body?: unknown; headers?: Record<string, string>; address?: string },
  ) => Promise<Response>;
  /** A supabase-js client with its own IP address, which records its requests. */
  createClient: () => { client: SupabaseClient; requests: string[] };
  stop: () => Promise<void>;
};

/** The auth service without a server, with a role that has only AUTH_GRANTS. */
export async function startTestAuth(options: Partial<AuthServiceOptions> = {}): Promise<TestAuth> {
  const database = await createTestDatabase();
  const sql = postgres(embeddedUrls(database.url).auth, { max: 8, onnotice: () => {} });
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  const [mails, events]: [Mail[], Event[]] = [[], []];
  const auth = createAuthService({
    sql,
    keys: await testKeys(),
    siteUrl: "http://localhost:3000",
    redirectUrls: ["http://localhost:3000/", "http://localhost:3000/es"],
    languageOf: () => "en",
    providers: [],
    sendMail: async (mail) => void mails.push(mail),
    sessionLimits: { idleMs: 30 * DAY_MS, maxMs: 180 * DAY_MS },
    signUpsPerAddressPerDay: 0,
    requestsPerAddress: 1_000_000,
    onEvent: async (event) => void events.push(event),
    onBackgroundError: (error) => {
      throw error;
    },
    now,
    ...options,
  });
  let addresses = 0;
  const freshAddress = () => {
    addresses += 1;
    return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
  };
  return {
    ...{ auth, database, mails, events },
    clock: {
      now,
      advance: (ms) => {
        offsetMs += ms;
      },
    },
    send: (path, { method = "POST", body, headers, address = freshAddress() } = {}) => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const sent = { apikey: KEY, "content-type": "application/json", ...headers };
      const content = body === undefined ? {} : { body: text };
      const request = new Request(`http://localhost/auth/v1/${path}`, { method, headers: sent, ...content });
      return auth.fetch(request, address);
    },
    createClient: () => {
      const address = freshAddress();
      const requests: string[] = [];
      const fetch: typeof globalThis.fetch = (input, init) => {
        const request = new Request(input, init);
        requests.push(request.url.replace("http://localhost/auth/v1", ""));
        return auth.fetch(request, address);
      };
      const settings = { auth: { persistSession: false, autoRefreshToken: false }, global: { fetch } };
      return { client: createClient("http://localhost", KEY, settings), requests };
    },
    stop: async () => {
      await auth.idle();
      await sql.end({ timeout: 1 });
      await database.drop();
    },
  };
}

async function testKeys(): Promise<ServerKeys> {
  return {
    ...(await tokenKeysOf("a-secret-for-tests-of-at-least-32-bytes")),
    publishableKey: async () => KEY,
    isPublishableKey: async (text) => text === KEY,
    hashSecret: "a-hash-secret-for-tests",
    stop: async () => {},
  };
}
