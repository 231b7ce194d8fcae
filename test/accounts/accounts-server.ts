// The embedded backend on a database of its own, asked in the process so that a request can be paused.
import { type Backend, createBackend } from "#backend/backend.ts";
import { embeddedUrls } from "#backend/login-roles.ts";
import { type Catalogue, readCatalogue } from "#backend/rest/catalogue.ts";
import { openServerKeys } from "#backend/server-keys.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";
import { currentTicket, gateWrites } from "./gated-requests.ts";
import { CLIENT_ID, createIssuers, ISSUERS } from "./simulated-issuers.ts";

export type AccountsServer = {
  database: TestDatabase;
  catalogue: Catalogue;
  ask: (request: Question) => Promise<Answer>;
  /** The errors that the backend has logged. */
  errors: unknown[];
  stop: () => Promise<void>;
};

export type Question = {
  path: string;
  method?: string;
  body?: object;
  token?: string | undefined;
  address: string;
  cookie?: string;
};

export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };

export const BOT_TOKEN = "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8";
const SITE = "http://localhost:3000";
const DAY_MS = 86_400_000;

export async function startAccountsServer(): Promise<AccountsServer> {
  const database = await createTestDatabase();
  const now = () => Date.now() + (currentTicket()?.clockMs() ?? 0);
  const errors: unknown[] = [];
  const note = (fields: unknown) => void errors.push(fields);
  const keys = await openServerKeys({
    ...{ sql: database.sql, databaseUrl: database.url, now: Date.now },
    onRevoked: () => {},
    onSecret: () => {},
  });
  const catalogue = await readCatalogue(database.sql);
  const urls = embeddedUrls(database.url);
  const restore = gateWrites({
    port: Number(new URL(database.url).port),
    answerProvider: await createIssuers(),
  });
  const backend = createBackend({
    ...{ keys, catalogue, now, siteUrl: SITE, redirectUrls: [`${SITE}/`], languageOf: () => "en" },
    peopleDatabaseUrl: urls.people,
    authDatabaseUrl: urls.auth,
    google: { clientId: CLIENT_ID, clientSecret: "a-secret", url: ISSUERS.google },
    telegram: { clientId: CLIENT_ID, clientSecret: "a-secret", url: ISSUERS.telegram },
    sendMail: async (mail) => void currentTicket()?.mails.push(mail),
    sessionLimits: { idleMs: 30 * DAY_MS, maxMs: 180 * DAY_MS },
    botToken: BOT_TOKEN,
    signUpsPerAddressPerDay: 0,
    requestBudget: { perAddress: 1e9, perPerson: 1e9 },
    realtimeTables: new Map(),
    allowedOrigins: [],
    addressOf: () => "192.0.2.1",
    logger: { info: () => {}, warn: () => {}, error: note },
  });
  await backend.ready;
  const publishableKey = await keys.publishableKey();
  return {
    ...{ database, catalogue, errors },
    ask: (question) =>
      ask(backend, publishableKey, question).catch((error: unknown) => {
        // The product answers so, outside the backend.
        errors.push(error);
        return { status: 500, headers: new Headers(), text: "", body: {} };
      }),
    stop: async () => {
      restore();
      await backend.close();
      await keys.stop();
      await database.drop();
    },
  };
}

async function ask(backend: Backend, apikey: string, question: Question): Promise<Answer> {
  const { path, body, token, address, cookie = "" } = question;
  const { method = body === undefined ? "GET" : "POST" } = question;
  const headers = {
    ...{ apikey, cookie, "content-type": "application/json" },
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await backend.fetch(new Request(`${SITE}${path}`, { method, headers, ...content }), address);
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: /^[{[]/.test(text) ? JSON.parse(text) : {},
  };
}
