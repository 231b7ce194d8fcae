// The data API alone on a given database: no HTTP, no auth service, and user ids as tokens.
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import postgres, { type Sql } from "postgres";
import { embeddedUrls } from "#backend/login-roles.ts";
import { type Catalogue, readCatalogue } from "#backend/rest/catalogue.ts";
import { createDataGate } from "#backend/rest/data-gate.ts";
import { createRestApi, type RestApi, type RestApiOptions } from "#backend/rest/rest-api.ts";
import { PEOPLE_LIMITS } from "#backend/user-pool.ts";

export type TestRestApi = {
  api: RestApi;
  catalogue: Catalogue;
  people: Sql;
  /** Everything logged, as one text to search. */
  log: () => string;
  headersOf: (userId?: string) => Record<string, string>;
  /** An unmodified supabase-js; without an id, a guest's. */
  clientOf: (userId?: string) => SupabaseClient;
  ask: (question: RestQuestion, userId?: string) => Promise<RestAnswer>;
  stop: () => Promise<void>;
};

export type RestQuestion = {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
};

export type RestAnswer = { status: number; text: string; headers: Headers };

const KEY = "sb_publishable_of_the_test";
const URL_OF_API = "http://localhost";

export async function startTestRestApi(
  url: string,
  owner: Sql,
  { max = 15, ...overrides }: Partial<RestApiOptions> & { max?: number } = {},
): Promise<TestRestApi> {
  const lines: string[] = [];
  const write = (fields: unknown, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const catalogue = await readCatalogue(owner);
  const people = postgres(embeddedUrls(url).people, {
    max,
    onnotice: () => {},
    connection: PEOPLE_LIMITS,
  });
  const api = createRestApi({
    people,
    catalogue,
    isPublishableKey: async (text) => text === KEY,
    checkToken: async (token) => {
      const bearer = { userId: token, sessionId: token };
      return { ok: true, bearer, claims: { sub: token, role: "authenticated" }, expiresAtMs: 0 };
    },
    aroundCall: new Map(),
    inTurn: createDataGate(),
    budget: { perAddress: 1e9, perPerson: 1e9 },
    now: Date.now,
    logger: { info: write, warn: write, error: write },
    ...overrides,
  });
  const headersOf = (userId?: string): Record<string, string> => ({
    apikey: KEY,
    "content-type": "application/json",
    ...(userId ? { authorization: `Bearer ${userId}` } : {}),
  });
  return {
    api,
    catalogue,
    people,
    log: () => lines.join("\n"),
    headersOf,
    clientOf: (userId) =>
      createClient(URL_OF_API, KEY, {
        auth: { persistSession: false, autoRefreshToken: false },
        global: {
          headers: headersOf(userId),
          fetch: (input, init) => api(new Request(input, init), "192.0.2.1"),
        },
      }),
    ask: async ({ path, method = "GET", headers, body }, userId) => {
      const sent = {
        method,
        headers: { ...headersOf(userId), ...headers },
        ...(body === undefined ? {} : { body }),
      };
      const answer = await api(new Request(`${URL_OF_API}/rest/v1/${path}`, sent), "192.0.2.1");
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
    stop: () => people.end({ timeout: 1 }),
  };
}
