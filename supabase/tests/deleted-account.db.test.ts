import { afterAll, beforeAll, expect, test } from "vitest";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import {
  DEFAULT_BY_URL_KEY,
  type PortalSimulator,
  startPortalSimulator,
} from "#simulators/portal/start-portal-simulator.ts";
import { createChat, createPerson, requireChatById } from "#simulators/telegram/phone/create.ts";
import { openLink } from "#simulators/telegram/phone/membership.ts";
import { pressButton, pressStart } from "#simulators/telegram/phone/speak.ts";
import type { InlineKeyboard } from "#simulators/telegram/reply-markup.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { type Person, signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { translatorOf } from "#text/translator.ts";

/** Tables that may mention a deleted account until the message is sent, at most a day. */
const UNTIL_SENT = ["watch.alerts", "watch.chat_paces", "private.account_mails"];
/** The job queue's tables name feeds and contain mails until the job is done. */
const JOBS = /^pgboss\./;
const PATIENCE = { timeout: 40_000, interval: 100 };
/** A search of one person only. With only the by-URL source its feed contains the URL. */
const SEARCH = "https://www.idealista.com/venta-viviendas/madrid/chamberi/con-precio-hasta_813730/";
const FAREWELL = "The account behind this chat's alerts has been deleted.";

let portal: PortalSimulator;
let telegram: TelegramSimulator;
let product: TestProduct;

beforeAll(async () => {
  [portal, telegram] = await Promise.all([
    startPortalSimulator({ size: 500, newPerDay: 0, monthlyRequests: null }),
    startTelegramSimulator({ floodControl: false }),
  ]);
  product = await startTestProduct({
    ROLES: "web,watcher,bot",
    TELEGRAM_BOT_TOKEN: telegram.bot.token,
    TELEGRAM_BOT_USERNAME: telegram.bot.username,
    TELEGRAM_API_ROOT: telegram.url,
    SEARCH_BY_URL_API_URL: portal.url,
    SEARCH_BY_URL_API_KEY: DEFAULT_BY_URL_KEY,
    SEARCH_BY_URL_MONTHLY_REQUESTS: "1000000",
  });
});

afterAll(async () => {
  await product.stop();
  await Promise.all([portal.close(), telegram.close()]);
});

const textsIn = (chat: number) =>
  requireChatById(telegram, chat).messages.map(({ message }) => message.text ?? message.caption ?? "");

async function heard(chat: number, words: string): Promise<void> {
  await expect.poll(() => textsIn(chat).join("\n"), PATIENCE).toContain(words);
}

/** Presses the newest button with that text once it appears. */
async function press(who: number, chat: number, text: string): Promise<void> {
  const holder = () =>
    requireChatById(telegram, chat).messages.findLast(({ message }) =>
      ((message.reply_markup as InlineKeyboard | undefined)?.inline_keyboard ?? [])
        .flat()
        .some((button) => button.text === text),
    );
  await expect.poll(holder, PATIENCE).toBeDefined();
  pressButton(telegram, { personId: who, chatId: chat, messageId: holder()?.message.message_id ?? 0, text });
}

async function tokenOf({ client }: Person): Promise<string> {
  const { data, error } = await client.rpc("create_telegram_link");
  expect(error).toBeNull();
  return (data as { token: string }).token;
}

async function chatOf(person: Person, chat: number) {
  const { data } = await person.client.from("chats").select("state, title").eq("chat_id", chat).maybeSingle();
  return data;
}

async function save(person: Person, ...chats: number[]): Promise<void> {
  const row = { user_id: person.id, filter_url: SEARCH, receiver_ids: chats.map(String) };
  expect(
    (await person.client.from("filter_settings").upsert(row, { onConflict: "user_id" })).error,
  ).toBeNull();
}

/** All tables that have a row mentioning one of these words as a whole. */
async function tablesThatMention(...words: (string | number)[]): Promise<string[]> {
  const { sql } = product.database;
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'm') and nspname !~ '^(pg_|information_schema|supabase_migrations)' order by 1`;
  const pattern = `\\m(${words.map((word) => String(word).replaceAll(/[^\w]/g, ".")).join("|")})\\M`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select from ${name} as mention where mention::text ~* $1 limit 1`, [
      pattern,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

test("DOOR-10 nothing of a deleted account is left in any table, and its chats are notified", async () => {
  const dora = await signUp(product, "dora.tracewell");
  const phone = createPerson(telegram, { firstName: "Dorotea", lastName: "Huellas", languageCode: "en" }).id;
  const typed = createPerson(telegram, { firstName: "Dorotea", lastName: "Rastro", languageCode: "de" }).id;
  const taken = createPerson(telegram, { firstName: "Dorotea", lastName: "Pisada", languageCode: "en" }).id;
  const stranger = createPerson(telegram, { isStarted: true, lastName: "Stranger" }).id;
  const traces = [dora.id, dora.email, "tracewell", "Huellas", "Rastro", "Pisada", phone, typed, taken];

  // A full history: sessions, settings, chats added and removed in every way, alerts, tests, marks.
  const elsewhere = product.createClient();
  await elsewhere.auth.signInWithPassword({ email: dora.email, password: "dora.tracewell-password" });
  await elsewhere.auth.refreshSession();
  const settings = { language: "en" };
  expect((await dora.client.from("profiles").update(settings).eq("id", dora.id)).error).toBeNull();
  for (const person of [typed, taken]) pressStart(telegram, person);
  await heard(typed, String(typed));
  await heard(taken, String(taken));
  await save(dora, typed, taken, stranger);
  await heard(typed, "d***@example.com");
  await heard(stranger, "d***@example.com");
  await save(dora, typed, stranger);
  pressStart(telegram, phone, await tokenOf(dora));
  await heard(phone, "✅");
  await press(phone, phone, "That's me");
  await expect
    .poll(() => chatOf(dora, phone), PATIENCE)
    .toEqual({ state: "connected", title: "Dorotea Huellas" });
  await heard(typed, translatorOf("alert")("de")("watchStarted"));
  expect((await dora.client.rpc("send_test_message", { chat_id: phone })).error).toBeNull();
  expect(publishMatching(portal.market, { url: SEARCH }).isPublished).toBe(true);
  await product.database.sql`update watch.feeds set next_check_at = now()`;
  await press(phone, phone, "Keep");
  expect((await dora.client.rpc("renew_mail_address")).error).toBeNull();
  const { sql } = product.database;
  await sql`insert into public.received_mails (user_id, outcome) values (${dora.id}, 'alert')`;
  await sql`insert into watch.mails (user_id, raw, received_at, digest) values (${dora.id}, 'x', now(), 'x')`;
  await sql`
    insert into private.known_browsers (user_id, browser_hash, last_used_at) values (${dora.id}, 'x', now())`;
  expect((await dora.client.rpc("export_my_data")).error).toBeNull();
  await sql`insert into watch.mailboxes values (${dora.id}, 'a mailbox', 1, 1, now())`;
  await expect
    .poll(() => tablesThatMention(...traces), PATIENCE)
    .toEqual(
      expect.arrayContaining([
        ...[
          "public.listings",
          "public.mail_addresses",
          "public.received_mails",
          "watch.chat_paces",
          "watch.chats",
        ],
        ...["private.known_browsers", "private.security_events"],
        ...["watch.mail_renewals", "watch.mailboxes", "watch.mails", "public.marks"],
      ]),
    );

  expect(
    (await dora.client.rpc("delete_my_account", { current_password: "dora.tracewell-password" })).error,
  ).toBeNull();

  const mayStillName = (name: string) => UNTIL_SENT.includes(name) || JOBS.test(name);
  expect((await tablesThatMention(...traces)).filter((name) => !mayStillName(name))).toEqual([]);
  expect((await tablesThatMention("813730")).filter((name) => !JOBS.test(name))).toEqual([]);
  await heard(phone, FAREWELL);
  await heard(typed, FAREWELL);
  await expect.poll(() => tablesThatMention(...traces), PATIENCE).toEqual([]);
  for (const chat of [taken, stranger]) expect(textsIn(chat).join()).not.toContain(FAREWELL);
  expect(textsIn(phone).filter((text) => text.includes(FAREWELL))).toHaveLength(1);
});

test("DOOR-10 a chat that another account uses is kept; its name is deleted if no remaining account has its consent", async () => {
  const [erin, bob] = await Promise.all([signUp(product, "erin"), signUp(product, "bob")]);
  const phone = createPerson(telegram, { firstName: "Erin", lastName: "Vestigio", languageCode: "en" }).id;
  const group = createChat(telegram, { kind: "supergroup", title: "Our flat", creatorId: phone }).id;
  for (const person of [erin, bob]) {
    openLink(telegram, {
      personId: phone,
      chatId: group,
      url: `https://t.me/${telegram.bot.username}?startgroup=${await tokenOf(person)}`,
    });
    await expect.poll(() => chatOf(person, group), PATIENCE).toMatchObject({ state: "connected" });
  }
  pressStart(telegram, phone, await tokenOf(erin));
  await press(phone, phone, "That's me");
  await expect.poll(() => chatOf(erin, phone), PATIENCE).toMatchObject({ title: "Erin Vestigio" });
  await save(bob, group, phone);
  expect(await chatOf(bob, phone)).toEqual({ state: "waiting", title: null });

  expect(
    (await erin.client.rpc("delete_my_account", { current_password: "erin-password" })).error,
  ).toBeNull();

  await heard(group, FAREWELL);
  await heard(phone, FAREWELL);
  expect(await chatOf(bob, group)).toEqual({ state: "connected", title: "Our flat" });
  expect(await chatOf(bob, phone)).toMatchObject({ state: "waiting" });
  await expect.poll(() => tablesThatMention("Vestigio"), PATIENCE).toEqual([]);
});

test("DOOR-10 a farewell message that cannot be delivered is dropped at once, and one that Telegram delays is sent later", async () => {
  const { sql } = product.database;
  const phone = createPerson(telegram, { isStarted: true, languageCode: "en" }).id;
  const description = "Internal Server Error";
  telegram.faults.set({
    kind: "error",
    errorCode: 500,
    description,
    method: "sendMessage",
    chatId: phone,
    times: 1,
  });
  const nobody = 424242424242;
  await sql`
    insert into watch.alerts (chat_id, kind, payload, language)
    values (${phone}, 'account-deleted', '{}', null), (${nobody}, 'account-deleted', '{}', 'fr')`;
  const open = async () =>
    (await sql`select chat_id::text as id from watch.alerts where user_id is null`).map(({ id }) => id);
  await expect.poll(open, PATIENCE).toEqual([String(phone)]);
  await heard(phone, FAREWELL);
  await expect.poll(open, PATIENCE).toEqual([]);
  expect(await sql`select from watch.chats where chat_id in (${phone}, ${nobody})`).toHaveLength(0);
});
