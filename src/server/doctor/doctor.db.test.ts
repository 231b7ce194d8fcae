import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listenOnLoopback } from "#simulators/listen-on-loopback.ts";
import { startMailSimulator } from "#simulators/mail/mail-simulator.ts";
import { DEFAULT_CREDENTIALS, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { startRoutesSimulator } from "#simulators/routes/start-routes-simulator.ts";
import { createPerson, requireChatById } from "#simulators/telegram/phone/create.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { CLOSED_PORT } from "#test/closed-port.ts";
import { databaseSettings } from "#test/postgres/migrated-postgres.ts";
import { OPERATOR } from "#test/server-process.ts";
import { TEST_TOKEN } from "#test/test-bot.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { runDoctor, tableOf } from "./doctor.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sereno-doctor-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The exit code, and the findings by service. */
async function consult(settings: Record<string, string>) {
  const child = spawn(process.execPath, ["scripts/doctor.ts"], {
    env: {
      ...OPERATOR,
      DATA_DIR: join(folder, "data"),
      MAIL_FROM: "Sereno <sereno@example.com>",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  const rows = said.trim().split("\n");
  const cells = rows.map((row) => row.split(/ {2,}/));
  return {
    code,
    said,
    found: Object.fromEntries(cells.map(([name, state, words]) => [name, { state, words }])),
  };
}

test("SERV-05 RUN-07 doctor reports every service as working, makes no paid requests and exits with 0", async () => {
  const [database, mail, telegram, portal, routes, monitor] = await Promise.all([
    createTestDatabase(),
    startMailSimulator(),
    startTelegramSimulator(),
    startPortalSimulator({ monthlyRequests: 5 }),
    startRoutesSimulator({ key: "a-key" }),
    listenOnLoopback((_, response) => void response.end("OK")),
  ]);
  const chatId = createPerson(telegram, { isStarted: true }).id;
  const { code, found } = await consult({
    SITE_URL: "http://localhost:3000",
    ...databaseSettings(database.url),
    SMTP_URL: mail.smtpUrl,
    TELEGRAM_BOT_TOKEN: TEST_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
    IDEALISTA_API_KEY: DEFAULT_CREDENTIALS.key,
    IDEALISTA_API_SECRET: DEFAULT_CREDENTIALS.secret,
    IDEALISTA_API_URL: portal.url,
    ROUTES_URL: routes.url,
    ROUTES_KEY: "a-key",
    OPERATOR_CHAT_ID: String(chatId),
    PING_URL: `http://127.0.0.1:${monitor.port}/a-secret-path`,
  });
  expect(found).toMatchObject({
    settings: { state: "ok" },
    "data folder": { state: "not set" },
    database: { state: "ok", words: expect.stringMatching(/^PostgreSQL 1\d/) },
    clock: { state: "ok" },
    "mail out (SMTP)": { state: "ok" },
    Telegram: {
      state: "ok",
      words: expect.stringMatching(/^we are @\w+; inline mode is off.*; topics in private chats are off/),
    },
    "data API": { state: "ok" },
    "search by URL": { state: "not set" },
    "mail in (MX)": { state: "not set" },
    "travel times": { state: "ok", words: expect.stringContaining("minutes on foot") },
    "operator's chat": { state: "ok" },
    "dead man's switch": { state: "ok" },
  });
  expect(code).toBe(0);
  expect(mail.mails()).toEqual([]);
  expect(requireChatById(telegram, chatId).messages.map(({ message }) => message.text)).toEqual([]);
  await Promise.all([database.drop(), mail.stop(), telegram.close(), portal.close(), routes.close()]);
  await monitor.stop();
});

test("START-02 doctor says that with hosted Supabase nobody can sign up in the chat", async () => {
  const telegram = await startTelegramSimulator();
  const { found } = await consult({
    SITE_URL: "http://localhost:3000",
    SUPABASE_URL: "https://project.supabase.example",
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_key",
    TELEGRAM_BOT_TOKEN: TEST_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
  });
  await telegram.close();
  expect(found.Telegram?.words).toContain("with hosted Supabase, nobody can sign up in the chat");
});

test("SERV-05 RUN-07 doctor says for each failing service what to do, shows no secret and exits with 1", async () => {
  const [telegram, routes, monitor] = await Promise.all([
    startTelegramSimulator(),
    startRoutesSimulator({ key: "another-key" }),
    listenOnLoopback((_, response) => void response.writeHead(404).end()),
  ]);
  const { code, found, said } = await consult({
    SITE_URL: "http://sereno.example",
    DATABASE_URL: `postgres://sereno:hunter22@127.0.0.1:${CLOSED_PORT}/sereno`,
    SMTP_URL: `smtp://sereno:hunter22@127.0.0.1:${CLOSED_PORT}`,
    TELEGRAM_BOT_TOKEN: `${TEST_TOKEN.slice(0, -3)}xyz`,
    TELEGRAM_API_ROOT: telegram.url,
    IDEALISTA_API_KEY: "key",
    IDEALISTA_API_SECRET: "hunter22",
    IDEALISTA_API_URL: `http://127.0.0.1:${CLOSED_PORT}`,
    SEARCH_BY_URL_API_URL: `http://127.0.0.1:${CLOSED_PORT}`,
    SEARCH_BY_URL_API_KEY: "hunter22",
    MAIL_IN_PORT: "2525",
    MAIL_IN_DOMAIN: "in.sereno.invalid",
    IMAP_URL: `imap://sereno:hunter22@127.0.0.1:${CLOSED_PORT}`,
    IMAP_PERSON: "sereno@example.com",
    ROUTES_URL: routes.url,
    ROUTES_KEY: "hunter22",
    OPERATOR_CHAT_ID: "7000000009",
    PING_URL: `http://127.0.0.1:${monitor.port}/hunter22`,
    TELEGRAM_BOT_TOKN: "hunter22",
  });
  await Promise.all([telegram.close(), routes.close(), monitor.stop()]);
  expect(found).toMatchObject({
    settings: {
      state: "wrong",
      words: "TELEGRAM_BOT_TOKN is not a setting; do you mean TELEGRAM_BOT_TOKEN?",
    },
    "data folder": { state: "not set" },
    database: { state: "wrong", words: expect.stringMatching(/refuses connections.*DATABASE_URL/) },
    "mail out (SMTP)": { state: "wrong", words: expect.stringMatching(/(ECONNREFUSED|ESOCKET).*SMTP_URL/) },
    Telegram: { state: "wrong", words: expect.stringContaining("@BotFather") },
    "data API": { state: "wrong", words: expect.stringMatching(/ECONNREFUSED.*IDEALISTA_API_URL/) },
    "search by URL": { state: "wrong", words: expect.stringMatching(/ECONNREFUSED.*SEARCH_BY_URL_API_URL/) },
    "mail in (MX)": { state: "wrong", words: expect.stringContaining("in.sereno.invalid") },
    "mailbox (IMAP)": { state: "wrong", words: expect.stringMatching(/ECONNREFUSED.*IMAP_URL/) },
    "travel times": { state: "wrong", words: expect.stringMatching(/refuses the key: check ROUTES_KEY/) },
    "operator's chat": { state: "wrong", words: "TELEGRAM_BOT_TOKEN is refused: see Telegram" },
    "dead man's switch": {
      state: "wrong",
      words: expect.stringMatching(/refuses the ping \(404\).*PING_URL/),
    },
  });
  expect(said).toMatch(/^settings +wrong +SITE_URL must begin with https/m);
  expect(code).toBe(1);
  expect(said).not.toMatch(/hunter22|AAH-simulated|\n\s+at /);
});

test("SERV-05 no secret is shown, even if a service or a driver repeats it", async () => {
  // The host does not exist, and the DNS error repeats its name.
  const rows = await runDoctor({
    config: undefined,
    unknown: [],
    values: {},
    mistakes: ["what came was hunter2222 and s3cr3t/word"],
    usable: {
      TELEGRAM_BOT_TOKEN: "hunter2222",
      TELEGRAM_API_ROOT: "http://hunter2222.invalid",
      SMTP_URL: "smtp://sereno:s3cr3t%2Fword@127.0.0.1:1",
    },
  });
  expect(rows[0]?.words).toBe("what came was … and …");
  expect(tableOf(rows)).not.toMatch(/hunter2222|s3cr3t/);
});
