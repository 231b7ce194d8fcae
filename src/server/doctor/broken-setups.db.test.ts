// One good set-up with every service, and what doctor says when one setting of it is wrong.
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGoogleSimulator } from "#simulators/google/google-simulator.ts";
import { startMailSimulator } from "#simulators/mail/mail-simulator.ts";
import { DEFAULT_CREDENTIALS, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { startRoutesSimulator } from "#simulators/routes/start-routes-simulator.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { ImapServer } from "#test/alert-mails/imap-server.ts";
import { CLOSED_PORT } from "#test/closed-port.ts";
import { databaseSettings } from "#test/postgres/migrated-postgres.ts";
import { OPERATOR } from "#test/server-process.ts";
import { TEST_TOKEN } from "#test/test-bot.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { readSettings } from "../config.ts";
import { unsafeSettings } from "../start/unsafe-settings.ts";
import { runDoctor } from "./doctor.ts";

const PERSON = "reader@example.com";
let good: Record<string, string>;
let silentPort = 0;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const [database, mail, telegram, portal, routes, google, mailbox, backups] = await Promise.all([
    createTestDatabase(),
    startMailSimulator(),
    startTelegramSimulator(),
    startPortalSimulator({ monthlyRequests: 5 }),
    startRoutesSimulator({ key: "a-key" }),
    startGoogleSimulator({ redirectUris: [] }),
    new ImapServer().start(),
    mkdtemp(join(tmpdir(), "sereno-backups-")),
  ]);
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  silentPort = (silent.address() as AddressInfo).port;
  await database.sql`insert into auth.users (id, email) values (gen_random_uuid(), ${PERSON})`;
  good = {
    ...OPERATOR,
    SITE_URL: "http://localhost:3000",
    ...databaseSettings(database.url),
    MAIL_FROM: "Sereno <sereno@example.com>",
    SMTP_URL: mail.smtpUrl,
    TELEGRAM_BOT_TOKEN: TEST_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
    IDEALISTA_API_KEY: DEFAULT_CREDENTIALS.key,
    IDEALISTA_API_SECRET: DEFAULT_CREDENTIALS.secret,
    IDEALISTA_API_URL: portal.url,
    ROUTES_URL: routes.url,
    ROUTES_KEY: "a-key",
    GOOGLE_URL: google.url,
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    IMAP_URL: mailbox.url,
    IMAP_PERSON: PERSON,
    BACKUP_DIR: backups,
    OPERATOR_CHAT_ID: String(createPerson(telegram, { isStarted: true }).id),
  };
  ends.push(
    () => database.drop(),
    () => mail.stop(),
    () => telegram.close(),
    () => portal.close(),
    () => routes.close(),
    () => google.stop(),
    () => mailbox.stop(),
    () => rm(backups, { recursive: true }),
    async () => void silent.close(),
  );
});

afterAll(() => Promise.all(ends.map((end) => end())));

/** The lines that are wrong, as `name: words`. */
async function faultsOf(settings: Record<string, string>): Promise<string[]> {
  const rows = await runDoctor(readSettings({ environment: settings, findMistakes: unsafeSettings }));
  return rows.filter(({ state }) => state === "wrong").map(({ name, words }) => `${name}: ${words}`);
}

test("RUN-11 doctor finds nothing wrong in the good set-up", async () => {
  expect(await faultsOf(good)).toEqual([]);
});

const closed = `127.0.0.1:${CLOSED_PORT}`;
const withPassword = (url: string) => url.replace(/:[^:@/]+@/, ":mistyped@");
type Change = (good: Record<string, string>) => Record<string, string>;

test.each<[string, Change, RegExp]>([
  [
    "a misspelt setting",
    () => ({ SMPT_URL: "x" }),
    /^settings: SMPT_URL is not a setting; do you mean SMTP_URL/,
  ],
  [
    "a site without https",
    () => ({ SITE_URL: "http://sereno.example" }),
    /^settings: SITE_URL must begin with https/,
  ],
  [
    "a wrong password of the database",
    ({ DATABASE_URL = "" }) => ({ DATABASE_URL: withPassword(DATABASE_URL) }),
    /^database: .*password.*DATABASE_URL/,
  ],
  ["a mail server that is off", () => ({ SMTP_URL: `smtp://${closed}` }), /^mail out \(SMTP\): .*SMTP_URL/],
  [
    "a mail server that does not answer",
    () => ({ SMTP_URL: `smtp://127.0.0.1:${silentPort}` }),
    /^mail out \(SMTP\): .*SMTP_URL/,
  ],
  [
    "another bot's name",
    () => ({ TELEGRAM_BOT_USERNAME: "other_bot" }),
    /^Telegram: .*TELEGRAM_BOT_USERNAME/,
  ],
  [
    "a mistyped bot token",
    () => ({ TELEGRAM_BOT_TOKEN: `${TEST_TOKEN.slice(0, -3)}xyz` }),
    /^Telegram: TELEGRAM_BOT_TOKEN is refused: use the one @BotFather shows/,
  ],
  [
    "a wrong API secret",
    () => ({ IDEALISTA_API_SECRET: "wrong" }),
    /^data API: .*check .*IDEALISTA_API_SECRET/,
  ],
  [
    "a wrong client secret of Google",
    () => ({ GOOGLE_CLIENT_SECRET: "wrong" }),
    /^Google: .*check GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET/,
  ],
  [
    "a wrong password of the mailbox",
    ({ IMAP_URL = "" }) => ({ IMAP_URL: withPassword(IMAP_URL) }),
    /^mailbox \(IMAP\): .*refuses the username or password in IMAP_URL/,
  ],
  [
    "a mailbox of nobody",
    () => ({ IMAP_PERSON: "nobody@example.com" }),
    /^mailbox \(IMAP\): IMAP_PERSON has no account: sign up with that address/,
  ],
  ["a wrong key for travel times", () => ({ ROUTES_KEY: "wrong" }), /^travel times: .*check ROUTES_KEY/],
  [
    "backups that cannot be written",
    () => ({ BACKUP_DIR: "/dev/null/backups" }),
    /^backups: .*set BACKUP_DIR to another folder/,
  ],
  [
    "an operator who never wrote to the bot",
    () => ({ OPERATOR_CHAT_ID: "7000000009" }),
    /^operator's chat: .*OPERATOR_CHAT_ID|^operator's chat: .*bot/,
  ],
])("RUN-11 doctor names for %s the setting and the way out", async (_, change, expected) => {
  const faults = await faultsOf({ ...good, ...change(good) });
  expect(faults.filter((fault) => expected.test(fault))).toHaveLength(1);
  expect(faults.join("\n")).not.toMatch(/mistyped|wrong-|hunter/);
});
