import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { messageUpdate, startBotForTest, TEST_TOKEN, type TestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";
import { createBot } from "../create-bot.ts";

const [en, es, _de] = [botTexts("en"), botTexts("es"), botTexts("de")];

const PATIENCE = { timeout: 60_000, interval: 20 };
const QUICK = { delays: { refusedMs: 50, conflictMs: 50, errorMs: 50 } };
const _SECRET = "a-secret-of-more-than-32-letters-for-the-webhook";
const SECRETS = /AAH-simulated|a-secret-of-more/;

const textsIn = (bot: TestBot, chat: number) => bot.botMessages(chat).map(({ text }) => text);

test("G10 a repeated update is answered once, and one out of order is not lost", async () => {
  const bot = await startBotForTest();
  const ana = bot.person();
  const first = bot.telegram.updates.nextId();
  for (const id of [first + 3, first + 1, first + 3, first + 2, first + 1]) {
    bot.telegram.updates.inject(messageUpdate(ana, id));
  }
  await bot.untilIdle();
  expect(textsIn(bot, ana)).toHaveLength(3);
  bot.telegram.updates.inject(messageUpdate(ana, first + 1));
  bot.telegram.updates.inject(messageUpdate(ana, first + 9, "/id"));
  await bot.untilIdle();
  expect(textsIn(bot, ana)).toHaveLength(4);
  expect(await bot.sql`select from watch.updates where content is not null`).toEqual([]);
});

test("G11 invalid updates do not stop the bot", async () => {
  const bot = await startBotForTest();
  const ana = bot.person();
  const chat = { id: ana, type: "private", first_name: "x" };
  const from = { id: ana, is_bot: false, first_name: "x" };
  const contents: Record<string, unknown>[] = [
    {},
    { message: null },
    { message: "text" },
    { message: {} },
    { message: { chat: null, text: "/start" } },
    { message: { chat: { id: "7", type: "private" }, from, text: "/start" } },
    { message: { chat: { id: ana, type: "a kind of tomorrow" }, from, text: "/start" } },
    { message: { chat, text: "/start" } },
    { message: { chat, from: { ...from, is_bot: true }, text: "/start" } },
    { message: { chat, from, text: 7 } },
    { message: { chat, from, text: "\u0000\ud800" } },
    { message: { chat, from, migrate_to_chat_id: "x" } },
    { edited_message: { chat, from, text: "/start" } },
    { channel_post: { chat: { id: -1001, type: "channel" } } },
    { callback_query: {} },
    { callback_query: { id: "1", from } },
    { callback_query: { id: "1", from, data: { $gt: "" }, message: { chat } } },
    { my_chat_member: {} },
    { my_chat_member: { chat, new_chat_member: {} } },
    { an_update_of_tomorrow: { chat } },
  ];
  for (const content of contents) {
    bot.telegram.updates.inject({ update_id: bot.telegram.updates.nextId(), ...content });
  }
  expect(await bot.ask(ana, "/help")).toEqual([en("not_understood"), expect.stringContaining("/stop")]);
});

test("an anonymous administrator counts as the group; a channel that posts in the group is ignored", async () => {
  const bot = await startBotForTest();
  const ana = bot.person();
  const id = bot.chat({ kind: "supergroup", title: "Flat", creatorId: ana });
  const alice = await bot.account("alice@example.com");
  const say = async (senderId: number, text: string) => {
    const chat = { id, type: "supergroup", title: "Flat" };
    const from = { id: 1_087_968_824, is_bot: true, first_name: "Group" };
    const message = {
      message_id: 9,
      date: 1,
      chat,
      from,
      sender_chat: { id: senderId, type: "channel" },
      text,
    };
    bot.telegram.updates.inject({ update_id: bot.telegram.updates.nextId(), message });
    await bot.untilIdle();
  };
  const token = await bot.link(alice);
  await bot.untilIdle();
  const greeting = textsIn(bot, id);
  await say(-1_001_999, `/start ${token}`);
  expect(textsIn(bot, id)).toEqual(greeting);
  await say(id, `/start ${token}`);
  expect(textsIn(bot, id)).toEqual([...greeting, expect.stringContaining("✅ Connected.")]);
});

test("G20 the bot survives a second poller", async () => {
  const bot = await startBotForTest(QUICK);
  const ana = bot.person();
  await bot.ask(ana, "/id");
  const rival = fetch(`${bot.telegram.url}/bot${TEST_TOKEN}/getUpdates?timeout=0`);
  await expect.poll(() => bot.log.join("\n"), PATIENCE).toContain("409 Conflict");
  await rival;
  expect(await bot.ask(ana, "/help")).toHaveLength(1);
  expect(bot.log.join("\n")).toContain("receiving Telegram updates again");
});

test("G19 RUN-07 the bot survives a revoked token and answers the messages sent meanwhile", async () => {
  const bot = await startBotForTest(QUICK);
  const ana = bot.person();
  await bot.ask(ana, "/id");
  bot.telegram.isTokenRevoked = true;
  bot.telegram.updates.inject(messageUpdate(ana, bot.telegram.updates.nextId(), "/latest"));
  await expect.poll(() => bot.log.join("\n"), PATIENCE).toMatch(/"level":"error".*401 Unauthorized/);
  expect(bot.bot.isTokenRefused()).toBe(true);
  bot.telegram.isTokenRevoked = false;
  await bot.untilIdle();
  expect(textsIn(bot, ana).at(-1)).toBe(en("latest_none"));
  expect(bot.bot.isTokenRefused()).toBe(false);
});

test("RUN-07 a process that loses the bot no longer answers for the token, which only its successor tries", async () => {
  const bot = await startBotForTest();
  bot.telegram.isTokenRevoked = true;
  await expect.poll(() => bot.bot.isTokenRefused(), PATIENCE).toBe(true);
  const successor = postgres(bot.database.url, { max: 1, onnotice: () => {} });
  const taken = successor`select pg_advisory_lock(hashtextextended('telegram bot', 0))`;
  const waiting = () => bot.sql`select from pg_locks where locktype = 'advisory' and not granted`;
  await Promise.all([
    taken,
    expect
      .poll(async () => (await waiting()).length, PATIENCE)
      .toBe(1)
      .then(
        () => bot.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'sereno lock' and datname = current_database()`,
      ),
  ]);
  await expect.poll(() => bot.bot.isTokenRefused(), PATIENCE).toBe(false);
  bot.telegram.isTokenRevoked = false;
  await successor.end({ timeout: 1 });
  // The process takes the bot back by itself.
  expect(await bot.ask(bot.person(), "/help")).toHaveLength(1);
});

test("a leftover webhook is removed, because it would block polling", async () => {
  const bot = await startBotForTest(QUICK);
  const ana = bot.person();
  await bot.ask(ana, "/id");
  const url = "http://127.0.0.1:9/elsewhere";
  await fetch(`${bot.telegram.url}/bot${TEST_TOKEN}/setWebhook?url=${url}`);
  expect(await bot.ask(ana, "/help")).toHaveLength(1);
});

test("P20 the token and the webhook secret are never logged, whatever fails", async () => {
  const bot = await startBotForTest(QUICK);
  const ana = bot.person();
  for (const kind of ["reset", "drop", "half", "empty", "not-ok", "html"] as const) {
    bot.telegram.faults.set({ kind, method: "sendMessage", errorCode: 502 });
    bot.telegram.faults.set({ kind, method: "getUpdates", errorCode: 502, times: 2 });
    await bot.ask(ana, "/id");
  }
  bot.telegram.isTokenRevoked = true;
  await expect.poll(() => bot.log.join("\n"), PATIENCE).toContain("401");
  bot.telegram.isTokenRevoked = false;
  expect(bot.log.length).toBeGreaterThan(8);
  expect(bot.log.join("\n")).not.toMatch(SECRETS);
  expect(bot.log.join("\n")).not.toContain(String(ana));
  // A reply whose response broke off is sent again.
  expect(textsIn(bot, ana).length).toBeGreaterThanOrEqual(6);
});

test("a reply waits for a short flood control delay", async () => {
  const bot = await startBotForTest();
  const ana = bot.person();
  bot.telegram.faults.set({
    kind: "error",
    method: "sendMessage",
    errorCode: 429,
    description: "Too Many Requests: retry after 1",
    retryAfter: 1,
  });
  expect(await bot.ask(ana, "/help")).toHaveLength(1);
  bot.telegram.faults.set({
    kind: "error",
    method: "sendMessage",
    errorCode: 429,
    description: "Too Many Requests: retry after 60",
    retryAfter: 60,
  });
  expect(await bot.ask(ana, "/help")).toHaveLength(0);
  expect(await bot.ask(ana, "/help")).toHaveLength(1);
});

test("a user who sends a hundred commands a minute gets one notice and is then ignored; others are served", async () => {
  const bot = await startBotForTest();
  const [ana, ben] = [bot.person(), bot.person()];
  for (let count = 0; count < 100; count += 1) {
    bot.telegram.updates.inject(messageUpdate(ana, bot.telegram.updates.nextId()));
  }
  expect(await bot.ask(ben, "/help")).toHaveLength(1);
  await bot.untilIdle();
  expect(textsIn(bot, ana)).toHaveLength(21);
  expect(textsIn(bot, ana).at(-1)).toBe(en("too_much"));
  bot.clock.now += 60_000;
  expect(await bot.ask(ana, "/help")).toHaveLength(1);
});

test("a failing update is retried, then answered with an apology, and delays no other chat", async () => {
  const bot = await startBotForTest();
  const [ana, ben] = [bot.person({ languageCode: "es" }), bot.person()];
  await bot.sql`alter table watch.chats add constraint broken check (chat_id <> ${bot.sql.unsafe(String(ana))})`;
  expect(await bot.ask(ana, "/id")).toEqual([es("trouble")]);
  expect(await bot.ask(ben, "/id")).toHaveLength(1);
  await bot.sql`alter table watch.chats drop constraint broken`;
  expect(await bot.ask(ana, "/id")).toEqual([expect.stringContaining("Tu ID de chat.")]);
});

test("P01 updates left in the inbox by a dead process are handled by the next one, once and in order", async () => {
  const bot = await startBotForTest();
  const ana = bot.person();
  const left = JSON.stringify(messageUpdate(ana, 1, "/latest"));
  await bot.sql`insert into watch.updates (update_id, content) values (1, ${left})`;
  expect(await bot.ask(ana, "/stop")).toEqual([en("latest_none"), en("stop_nothing")]);
});

test("P04 no reply is lost when the database drops all connections", async () => {
  const bot = await startBotForTest(QUICK);
  const ana = bot.person();
  await bot.ask(ana, "/id");
  await bot.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  expect(await bot.ask(ana, "/help")).not.toEqual([]);
  await expect
    .poll(() => bot.log.filter((line) => line.includes("this process now runs the bot")).length, PATIENCE)
    .toBe(2);
  expect(await bot.ask(ana, "/stop")).toEqual([en("stop_nothing")]);
});

test("G32 of two processes one runs the bot; when it stops the other takes over, and nothing is answered twice", async () => {
  const bot = await startBotForTest();
  const ana = bot.person();
  await bot.ask(ana, "/id");
  const log: string[] = [];
  const write = (_: object, message: string) => void log.push(message);
  const logger = { info: write, warn: write, error: write };
  const second = createBot({ ...bot.botOptions, logger });
  second.start();
  onTestFinished(second.stop);
  expect(await bot.ask(ana, "/help")).toHaveLength(1);
  expect(log).toEqual([]);
  await bot.bot.stop();
  expect(await bot.ask(ana, "/help")).toHaveLength(1);
  expect(log).toEqual(["this process now runs the bot"]);
});
