import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { findPerson, readSecurityEvents } from "#server/ops/rows/operator-acts.ts";
import { callAs, openSession, proveByMail } from "#test/proven-address.ts";
import { createTelegramAccount, type TelegramAccount } from "#test/telegram-account.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 4 });
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

const ELSEWHERE = -100_777;

const labelsOf = async ({ userId, chatId }: TelegramAccount) => {
  const [row] = await sql`
    select private.account_in_chat(${userId}, ${chatId}) as own,
      private.account_in_chat(${userId}, ${ELSEWHERE}) as elsewhere, private.masked_account(${userId}) as masked`;
  return [row?.own, row?.elsewhere, row?.masked];
};

const noticesOf = async (userId: string) =>
  (
    await sql`
      select chat_id::int as chat, payload from watch.alerts
      where user_id = ${userId} and kind = 'account-notice' order by position`
  ).map(({ chat, payload }) => [chat, payload.notice]);

const mailsOf = (userId: string) => sql`select kind from private.account_mails where user_id = ${userId}`;

test.each([
  ["Ana García", "Ana García", "A*** (Telegram)"],
  ["Sereno Support", "Sereno Support", "S*** (Telegram)"],
  ["Зоя", "Зоя", "З*** (Telegram)"],
  ["\u202egro.live\u202c\nYou won <b>€500</b>", "gro.live You won <b>€500</b>", "g*** (Telegram)"],
  ["\u200b \u2800", "*** (Telegram)", "*** (Telegram)"],
  ["x".repeat(200), "x".repeat(60), "x*** (Telegram)"],
])("START-04 %j is named in full only in its own private chat", async (name, own, masked) => {
  expect(await labelsOf(await createTelegramAccount(sql, { name }))).toEqual([own, masked, masked]);
});

test("START-04 a chat that somebody else's account typed in sees only a masked name", async () => {
  const { userId } = await createTelegramAccount(sql);
  await sql`
    insert into public.searches (user_id, filter_url, receiver_ids)
    values (${userId}, 'https://www.idealista.com/alquiler-viviendas/madrid-madrid/', '{880999}')`;
  const [question] =
    await sql`select payload from watch.alerts where user_id = ${userId} and kind = 'question'`;
  expect(question?.payload, "the name is read when the question is rendered").toEqual({});
  expect(await sql`select account from watch.people_to_ask_about(880999)`).toEqual([
    { account: "A*** (Telegram)" },
  ]);
});

test("EASY-04 START-04 notices of an account without an address go to its private chat, and none is mailed", async () => {
  const { userId, chatId } = await createTelegramAccount(sql);
  expect(await noticesOf(userId), "the chat that was just connected is not notified of it").toEqual([]);
  await sql`insert into public.chats (user_id, chat_id, state) values (${userId}, ${ELSEWHERE}, 'connected')`;
  for (const browser of ["Firefox", "Chrome", "Safari", "Edge"]) {
    await sql`
      select private.record_auth_event(
        ${userId}, 'sign_in', ${browser}, 'Linux', ${Buffer.from(browser)}, null, now()
      )`;
  }
  await callAs(sql, { userId, session: await openSession(sql, userId) }, "mail_alert_steps");
  // The session that made the account is greeted.
  const kinds = [
    "chat-connected",
    "welcome",
    "new-browser",
    "new-browser",
    "new-browser",
    "alert-mail-steps",
  ];
  expect(await noticesOf(userId)).toEqual(kinds.map((kind) => [chatId, kind]));
  expect(await mailsOf(userId)).toEqual([]);
});

test.each([
  ["was never opened", async () => createTelegramAccount(sql, { isConnected: false })],
  [
    "blocked the bot",
    async () => {
      const account = await createTelegramAccount(sql);
      await sql`select watch.set_standing(${account.chatId}, 'blocked', 'blocked')`;
      return account;
    },
  ],
  [
    "said /stop",
    async () => {
      const account = await createTelegramAccount(sql);
      await sql`select watch.stop_chat(${account.chatId})`;
      return account;
    },
  ],
])("START-04 a private chat that %s gets no notice, and nothing waits", async (_why, create) => {
  const { userId } = await create();
  await sql`insert into private.account_mails (kind, user_id) values ('chats-lost', ${userId})`;
  expect([await noticesOf(userId), await mailsOf(userId)]).toEqual([[], []]);
});

test("START-04 the steps for alert mails say so if they can reach nobody", async () => {
  const { userId } = await createTelegramAccount(sql, { isConnected: false });
  const session = await openSession(sql, userId);
  await expect(callAs(sql, { userId, session }, "mail_alert_steps")).rejects.toMatchObject({
    detail: "no-chat",
  });
});

test("START-04 an account with an address is notified by mail alone", async () => {
  const { userId } = await createTelegramAccount(sql);
  await sql`update auth.users set email = ${`${userId}@example.com`} where id = ${userId}`;
  await sql`insert into private.account_mails (kind, user_id) values ('chats-lost', ${userId})`;
  expect([await noticesOf(userId), await mailsOf(userId)]).toEqual([[], [{ kind: "chats-lost" }]]);
});

test("START-04 ten notices a day are enough", async () => {
  const { userId } = await createTelegramAccount(sql);
  for (let n = 0; n < 12; n += 1) {
    await sql`insert into private.account_mails (kind, user_id) values ('chats-lost', ${userId})`;
  }
  expect(await noticesOf(userId)).toHaveLength(10);
});

test("START-04 an address proved by its own link ends nothing and keeps the sign-in with Telegram", async () => {
  const { userId, chatId } = await createTelegramAccount(sql);
  const email = `${userId}@example.com`;
  await sql`update auth.users set email_change = ${email}, email_change_sent_at = now() where id = ${userId}`;
  await sql`update auth.users set email = ${email}, email_change = null where id = ${userId}`;
  await proveByMail(sql, userId);
  const [row] = await sql`
    select (select state from public.chats where user_id = ${userId}) as chat,
      exists (select from watch.telegram_identities where user_id = ${userId}) as "hasTelegram",
      (select kind from private.security_events where user_id = ${userId} and kind = 'email_added') as event`;
  expect(row).toEqual({ chat: "connected", hasTelegram: true, event: "email_added" });
  expect(await noticesOf(userId)).toEqual([[chatId, "email-added"]]);
});

test.each([
  ["in use", true],
  ["in no search", false],
])("START-04 the private chat (%s) of a deleted account gets one message", async (_what, isConnected) => {
  const { userId, chatId } = await createTelegramAccount(sql);
  if (!isConnected) await sql`delete from public.chats where user_id = ${userId}`;
  await sql`delete from auth.users where id = ${userId}`;
  expect(
    await sql`select chat_id::int as chat from watch.alerts where chat_id = ${chatId} and user_id is null`,
  ).toEqual([{ chat: chatId }]);
  expect(await sql`select from private.account_mails where kind = 'account-deleted'`).toHaveLength(0);
  expect(await sql`select from watch.chats where chat_id = ${chatId}`).toHaveLength(0);
});

test("START-04 export works without an address", async () => {
  const { userId } = await createTelegramAccount(sql);
  const exported = await callAs(sql, { userId, session: await openSession(sql, userId) }, "export_my_data");
  expect(exported).toMatchObject({
    account: { id: userId, email: null, full_name: "Ana García", sign_in_with: ["custom:telegram"] },
  });
});

test("START-04 the operator finds an account without an address by its Telegram user", async () => {
  const { userId, chatId } = await createTelegramAccount(sql);
  const label = `telegram:${chatId}`;
  expect(await findPerson(sql, label)).toMatchObject({ userId, email: label });
  await sql`select private.note_security_event(${userId}, 'sign_in', null, null, 1, now())`;
  const events = await readSecurityEvents(sql, { userId });
  expect(new Set(events.map(({ email }) => email))).toEqual(new Set([label]));
});
