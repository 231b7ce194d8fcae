import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { createPerson, requireChatById } from "#simulators/telegram/phone/create.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { readmit, setAside } from "#watcher/rows/quarantine.ts";
import { noteBackup, noteBackupWanted } from "../ops/rows/backups.ts";
import { closeIncident, openIncident } from "./rows/incidents.ts";
import { checkIncidents, isNearlyFull, noteClock, noteDisk } from "./start-monitoring.ts";

const NOW = new Date("2026-11-16T12:00:00Z");
const GIB = 1024 ** 3;
const FULL = { freeBytes: GIB / 10, totalBytes: 100 * GIB };
const FREE = { freeBytes: 50 * GIB, totalBytes: 100 * GIB };
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

let database: TestDatabase;
let sql: ReturnType<typeof openDatabase>;
let telegram: TelegramSimulator;
let chatId: number;
let mails: string[];

beforeEach(async () => {
  [database, telegram] = await Promise.all([
    createTestDatabase(),
    startTelegramSimulator({ floodControl: false }),
  ]);
  sql = openDatabase({ url: database.url, max: 4 });
  chatId = createPerson(telegram, { isStarted: true }).id;
  mails = [];
});
afterEach(async () => {
  await sql.end({ timeout: 1 });
  await Promise.all([database.drop(), telegram.close()]);
});

const look = (now: Date) =>
  checkIncidents(
    sql,
    {
      telegram: { token: telegram.bot.token, apiRoot: telegram.url },
      chatId: String(chatId),
      sendMail: async (subject) => void mails.push(subject),
      siteUrl: "https://sereno.example",
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    },
    now,
  );
const heard = () =>
  requireChatById(telegram, chatId).messages.map(({ message }) =>
    message.text?.replace("Sereno at sereno.example: ", ""),
  );

test("SERV-08 the operator is notified once of each incident and of its end, even with two processes", async () => {
  await sql`
    insert into watch.request_budgets (name, month, used, monthly_requests)
    values ('idealista-api', '2026-11-01', 80, 100), ('search-by-url', '2026-11-01', 79, 100)`;
  await sql`
    insert into watch.feeds (key, source, query, interval_seconds, failing_since, failure_reason) values
      ('a', 'official', '{}', 600, ${later(-61)}, 'unavailable'), ('b', 'official', '{}', 600, null, null),
      ('c', 'by-url', '{}', 600, ${later(-30)}, 'unavailable')`;
  await openIncident(sql, { kind: "mail", subject: "" }, NOW);
  await noteDisk(sql, FULL, NOW);
  await Promise.all([look(NOW), look(NOW)]);
  await look(later(1));
  expect(heard().toSorted()).toEqual([
    "80% of this month's requests to idealista-api are used.",
    expect.stringMatching(/^The disk of .+ is nearly full\.$/),
    "official has been failing for an hour.",
  ]);
  // A mail server may fail for a moment; five minutes are an incident.
  await look(later(6));
  expect(heard().slice(3)).toEqual(["Emails to people cannot be sent: check SMTP_URL and the log."]);

  await sql`update watch.request_budgets set month = '2026-12-01', used = 1`;
  await sql`update watch.feeds set failing_since = null`;
  await closeIncident(sql, { kind: "mail", subject: "" }, later(7));
  await noteDisk(sql, FREE, later(7));
  await Promise.all([look(later(8)), look(later(8))]);
  await look(later(9));
  expect(heard().slice(4).toSorted()).toEqual([
    "Emails to people are being sent again.",
    "Requests to idealista-api are back below 80% of the month's limit.",
    expect.stringMatching(/^The disk of .+ has free space again\.$/),
    "official works again.",
  ]);
  expect(await sql`select * from watch.incidents`).toEqual([]);
});

test("SERV-08 a refused token is reported by mail, and its end in the chat again", async () => {
  telegram.isTokenRevoked = true;
  await look(NOW);
  await look(later(2));
  await look(later(3));
  expect(mails).toEqual(["Telegram refuses the bot's token (TELEGRAM_BOT_TOKEN): no alerts go out."]);
  telegram.isTokenRevoked = false;
  await look(later(4));
  expect(heard()).toEqual(["Telegram accepts the bot's token again."]);
});

test("RUN-04 without a chat the operator is notified by mail, also by a process without the bot's token", async () => {
  const options = {
    chatId: undefined,
    sendMail: async (subject: string) => void mails.push(subject),
    siteUrl: "https://sereno.example",
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  };
  await noteDisk(sql, FULL, NOW);
  await checkIncidents(sql, { ...options, telegram: undefined }, NOW);
  await noteDisk(sql, FREE, later(1));
  const token = { token: telegram.bot.token, apiRoot: telegram.url };
  await checkIncidents(sql, { ...options, telegram: token }, later(1));
  expect(mails).toEqual([
    expect.stringMatching(/^The disk of .+ is nearly full\.$/),
    expect.stringMatching(/^The disk of .+ has free space again\.$/),
  ]);
  expect(heard()).toEqual([]);
});

test("RUN-04 backups that are wanted and not made for 26 hours are reported, and when they are made again", async () => {
  await look(NOW);
  await noteBackupWanted(sql, NOW);
  await look(later(25 * 60));
  expect(heard()).toEqual([]);
  await look(later(26 * 60 + 1));
  await noteBackup(sql, 1_000, later(27 * 60));
  await closeIncident(sql, { kind: "backup", subject: "" }, later(27 * 60));
  await look(later(27 * 60 + 1));
  expect(heard()).toEqual([
    "No backup was made for more than a day: check BACKUP_DIR and the log.",
    "Backups are made again.",
  ]);
  // No process has wanted one for a week.
  await look(later(9 * 24 * 60));
  expect(heard()).toHaveLength(2);
});

test("RULE-07 SERV-08 an outage of Telegram is reported by mail, also one that only the sender sees", async () => {
  telegram.faults.set({ kind: "error", errorCode: 502, forMs: 10 * 60_000 });
  await look(NOW);
  await look(later(1));
  await look(later(2));
  const sentence = "Telegram does not answer: alerts are waiting; after 30 minutes they are emailed.";
  expect(mails).toEqual([sentence]);
  telegram.faults.clear();
  await look(later(3));
  expect(heard()).toEqual(["Telegram answers again: the waiting alerts go out."]);
  await sql`update watch.sender set away_since = ${later(4)}`;
  await look(later(4));
  await look(later(5));
  expect(heard().slice(1)).toEqual([sentence]);
});

test("SERV-08 an incident that ends before it was reported is not reported", async () => {
  await openIncident(sql, { kind: "mail", subject: "" }, NOW);
  await look(later(1));
  await closeIncident(sql, { kind: "mail", subject: "" }, later(2));
  await look(later(10));
  expect(heard()).toEqual([]);
});

test("SERV-08 a disk is nearly full below a twentieth, never above 2 GiB and always below 256 MiB", () => {
  const is = (freeGib: number, totalGib: number) =>
    isNearlyFull({ freeBytes: freeGib * GIB, totalBytes: totalGib * GIB });
  expect([is(0.4, 10), is(0.6, 10), is(1.9, 1_000), is(2.1, 1_000), is(0.2, 1), is(0.3, 1)]).toEqual([
    ...[true, false, true, false, true, false],
  ]);
});

test.each([600_000, -600_000])(
  "RUN-03 a clock that is off by %i ms is reported once, and when it is right again",
  async (skewMs) => {
    await noteClock(sql, skewMs, NOW);
    await look(NOW);
    await noteClock(sql, skewMs, later(1));
    await look(later(1));
    await noteClock(sql, 29_000, later(2));
    await look(later(2));
    expect(heard().map((text) => text?.replace(/of \S+ /, "of this machine "))).toEqual([
      "The clock of this machine differs from the database's by more than 30 s: set it by NTP.",
      "The clock of this machine agrees with the database's again.",
    ]);
  },
);

test("COVER-05 COVER-06 the operator is told once of late checks and of what is set aside", async () => {
  await sql`
    insert into watch.feeds (key, source, query, interval_seconds, last_ok_at, next_check_at, live_since)
    values ('one', 'official', '{}', 600, ${later(-31)}, ${later(-21)}, ${later(-500)})`;
  await setAside(sql, { kind: "search", subject: "one", error: new Error("broken") }, NOW);
  await setAside(sql, { kind: "plan", subject: "merges", error: new Error("broken") }, NOW);
  await look(NOW);
  await setAside(sql, { kind: "plan", subject: "merges", error: new Error("broken again") }, later(1));
  await look(later(1));
  expect(heard().toSorted()).toEqual([
    "A search caused an error and is set aside; everything else goes on. “npm run ops -- status” shows the reason.",
    "A step of planning caused an error and is set aside; everything else goes on. “npm run ops -- status” shows the reason.",
    "Checks of official are late: some feeds went unchecked for three intervals. Look at the watcher's log.",
  ]);
  await sql`update watch.feeds set last_ok_at = ${later(2)}, next_check_at = ${later(12)}`;
  await readmit(sql, "search", ["one"]);
  await readmit(sql, "plan", ["merges"]);
  await look(later(3));
  expect(heard().slice(3).toSorted()).toEqual([
    "Checks of official are on time again.",
    "No search is set aside any more.",
    "No step of planning is set aside any more.",
  ]);
});
