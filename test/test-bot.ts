import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import type { Message } from "#simulators/telegram/model.ts";
import type { ChatOrder, PersonOrder } from "#simulators/telegram/phone/create.ts";
import { createChat, createPerson, requireChatById } from "#simulators/telegram/phone/create.ts";
import { addBot } from "#simulators/telegram/phone/membership.ts";
import { pressButton, say } from "#simulators/telegram/phone/speak.ts";
import type { Button, InlineKeyboard } from "#simulators/telegram/reply-markup.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
  type TelegramSimulatorOptions,
} from "#simulators/telegram/start-telegram-simulator.ts";
import type { Update } from "#simulators/telegram/update-queue.ts";
import { type BotOptions, createBot } from "#telegram/bot/create-bot.ts";
import { createTestDatabase } from "./test-database.ts";

export const TEST_SITE = "https://sereno.example";
export const TEST_TOKEN = "7000000001:AAH-simulated-bot-token-of-35-chars";
const PATIENCE = { timeout: 60_000, interval: 10 };

/** Starts a bot, a simulated Telegram and a new database. */
export async function startTestBot(
  options: Partial<BotOptions> = {},
  telegramOptions: TelegramSimulatorOptions = {},
) {
  const database = await createTestDatabase();
  const telegram = await startTelegramSimulator({
    floodControl: false,
    localWebhooks: true,
    ...telegramOptions,
  });
  const sql = openDatabase({ url: database.url, max: 4 });
  const log: string[] = [];
  const clock = { now: Date.now() };
  const write = (level: string) => (fields: object, message: string) =>
    void log.push(JSON.stringify({ level, ...fields, message }));
  const botOptions: BotOptions = {
    sql,
    databaseUrl: database.url,
    token: TEST_TOKEN,
    apiRoot: telegram.url,
    siteUrl: TEST_SITE,
    linkUrl: "https://t.me",
    now: () => clock.now,
    logger: { info: write("info"), warn: write("warn"), error: write("error") },
    ...options,
  };
  // Created by the embedded Supabase in the product.
  await database.sql`
    insert into private.server_keys (name, value) values ('hash_secret', ${"a secret of these tests ".repeat(2)})
    on conflict do nothing`;
  const bot = createBot(botOptions);
  bot.start();
  const stop = async () => {
    await bot.stop();
    await telegram.close();
    // Without a timeout the driver waits for connections that the server has closed.
    await sql.end({ timeout: 1 });
    await database.drop();
  };
  return {
    database,
    sql: database.sql,
    telegram,
    bot,
    botOptions,
    log,
    clock,
    stop,
    ...actionsOf(telegram, database.sql),
  };
}

export type TestBot = Awaited<ReturnType<typeof startTestBot>>;

interface SharedTestBot extends TestBot {
  /** A new account for each test. */
  alice: string;
  /** A new Telegram user for each test, who speaks English and has started the bot. */
  ana: number;
  /** Makes names unique among the tests of a file. */
  testNumber: number;
}

/** Registers hooks that run one bot for all tests of a file, with a new account and a new Telegram user for each test. */
export function setUpTestBot(person: PersonOrder = {}, options: Partial<BotOptions> = {}): SharedTestBot {
  const bot = { testNumber: 0 } as SharedTestBot;
  beforeAll(async () => void Object.assign(bot, await startTestBot(options)));
  beforeEach(async () => {
    bot.testNumber += 1;
    bot.alice = await bot.account(`alice${bot.testNumber}@example.com`);
    bot.ana = bot.person({ firstName: "Ana", languageCode: "en", ...person });
  });
  afterAll(() => bot.stop());
  return bot;
}

/** A bot for one test, stopped when the test ends. */
export async function startBotForTest(...options: Parameters<typeof startTestBot>): Promise<TestBot> {
  const bot = await startTestBot(...options);
  onTestFinished(bot.stop);
  return bot;
}

type TestSql = Awaited<ReturnType<typeof createTestDatabase>>["sql"];

/** What users can do in a test, and what they see. */
function actionsOf(telegram: TelegramSimulator, sql: TestSql) {
  const botMessages = (chatId: number) =>
    requireChatById(telegram, chatId)
      .messages.filter(({ message }) => isByBot(telegram, message))
      .map(({ message }) => message);
  const untilIdle = () => waitUntilIdle(telegram, sql);
  /** Sends a message and returns the texts of the bot's replies. */
  const ask = async (
    personId: number,
    text: string,
    chatId = personId,
    more: object = {},
  ): Promise<string[]> => {
    // A group is greeted when it adds the bot.
    if (chatId < 0) await untilIdle();
    const before = botMessages(chatId).length;
    say(telegram, { personId, chatId, text, ...more });
    await untilIdle();
    return botMessages(chatId)
      .slice(before)
      .map((message) => message.text ?? "");
  };
  const press = async (
    personId: number,
    chatId: number,
    which: { text?: string; data?: string; isForged?: boolean },
  ) => {
    const holder = botMessages(chatId).findLast(
      (message) =>
        which.isForged === true ||
        buttonsOf(message).some(
          (one) => one.text === which.text || (which.data !== undefined && one.callback_data === which.data),
        ),
    );
    if (holder === undefined) throw new Error(`no button ${which.text ?? which.data}`);
    const { press: made } = pressButton(telegram, {
      personId,
      chatId,
      messageId: holder.message_id,
      ...which,
    });
    await untilIdle();
    return made?.answer?.text;
  };
  return {
    untilIdle,
    ask,
    press,
    /** Sends a message as the bot and returns its id. */
    post: (chatId: number, text: string, more: object = {}) =>
      postAsBot(telegram, { chat_id: chatId, text, ...more }),
    botMessages,
    lastKeyboard: (chatId: number) => buttonsOf(botMessages(chatId).at(-1)),
    person: (order: PersonOrder = {}) => createPerson(telegram, { isStarted: true, ...order }).id,
    chat: (order: ChatOrder, isAdmin = false) => {
      const chat = createChat(telegram, order);
      addBot(telegram, { chatId: chat.id, by: order.creatorId, isAdmin });
      return chat.id;
    },
    /** Connects the chat by a link and confirms the account. */
    connect: async (personId: number, userId: string, chatId = personId) => {
      await ask(personId, `/start ${await createLink(sql, userId)}`, chatId);
      await confirmChat(sql, userId, chatId);
    },
    account: (email: string) => createAccount(sql, email),
    link: (userId: string) => createLink(sql, userId),
    saveFilter: (userId: string, ...chatIds: number[]) => saveFilter(sql, userId, chatIds),
    receiverIdsOf: async (userId: string): Promise<string[] | undefined> =>
      (await sql`select receiver_ids from public.filter_settings where user_id = ${userId}`)[0]?.receiver_ids,
  };
}

async function postAsBot({ url }: TelegramSimulator, message: object): Promise<number> {
  const answer = await fetch(`${url}/bot${TEST_TOKEN}/sendMessage`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(message),
  });
  return ((await answer.json()) as { result: { message_id: number } }).result.message_id;
}

/** Waits until the bot has no update left to process. */
function waitUntilIdle(telegram: TelegramSimulator, sql: TestSql): Promise<void> {
  return expect
    .poll(async () => {
      // Ask Telegram first: an update leaves Telegram only after it is in the inbox.
      const unfetched = telegram.updates.size;
      if (unfetched > 0) return unfetched;
      const [{ waiting } = { waiting: 1 }] =
        await sql`select count(*)::int as waiting from watch.updates where done_at is null`;
      return Number(waiting);
    }, PATIENCE)
    .toBe(0);
}

function isByBot(telegram: TelegramSimulator, message: Message): boolean {
  const from = message.from as { id?: number } | undefined;
  const isPost = message.chat.type === "channel" && message.author_signature === undefined;
  return from?.id === telegram.bot.id || isPost;
}

/** An update with a message. */
export const messageUpdate = (personId: number, updateId: number, text = "/help"): Update => ({
  update_id: updateId,
  message: {
    message_id: updateId,
    date: 1,
    chat: { id: personId, type: "private", first_name: "x" },
    from: { id: personId, is_bot: false, first_name: "x", language_code: "en" },
    text,
  },
});

export function buttonsOf(message: Message | undefined): readonly Button[] {
  return ((message?.reply_markup as InlineKeyboard | undefined)?.inline_keyboard ?? []).flat();
}

async function createAccount(sql: TestSql, email: string): Promise<string> {
  const id = randomUUID();
  await sql`insert into auth.users (id, email) values (${id}, ${email})`;
  return id;
}

async function saveFilter(sql: TestSql, userId: string, chatIds: readonly number[]): Promise<void> {
  const url = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";
  await sql`
    insert into public.filter_settings (user_id, filter_url, receiver_ids)
    values (${userId}, ${url}, ${chatIds.map(String)})
    on conflict (user_id) do update set receiver_ids = excluded.receiver_ids`;
}

/** Does what the button "That's me" does. */
async function confirmChat(sql: TestSql, userId: string, chatId: number): Promise<void> {
  await sql`
    update public.chats set confirmed_at = now(), kind = met.kind, title = met.title from watch.chats as met
    where user_id = ${userId} and chats.chat_id = ${chatId} and met.chat_id = ${chatId} and confirmed_at is null`;
  await sql`
    insert into watch.chat_questions (user_id, chat_id, asked_at, answer, is_own)
    values (${userId}, ${chatId}, 'epoch', 'yes', true)
    on conflict (user_id, chat_id) do update set answer = excluded.answer, is_own = excluded.is_own`;
}

/** Does what public.create_telegram_link() does for a signed-in user. */
async function createLink(sql: TestSql, userId: string): Promise<string> {
  const [row] = await sql<[{ token: string }]>`
    with made as (select private.random_token() as token)
    insert into watch.link_tokens (token_hash, user_id, expires_at)
    select sha256(convert_to(token, 'UTF8')), ${userId}, now() + interval '15 minutes' from made
    returning (select token from made) as token`;
  return row.token;
}
