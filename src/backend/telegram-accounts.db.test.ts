import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession, proveByGoogle, proveByMail } from "#test/proven-address.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

const enter = async (telegramId: number, metadata = { full_name: "Ana Ruiz", language: "de" }) => {
  const { sql } = database;
  const [entered] = await sql<[{ userId: string; isNew: boolean }]>`
    select user_id as "userId", is_new as "isNew" from private.enter_by_telegram(${telegramId}, ${sql.json(metadata)})`;
  return entered;
};
const identitiesOf = async (userId: string) =>
  (await database.sql`select provider from auth.identities where user_id = ${userId}`).map(
    (row) => row.provider,
  );

test("START-05 ten entries of a Telegram user at the same time make one account without address and password", async () => {
  const entered = await Promise.all(Array.from({ length: 10 }, () => enter(8_101)));
  expect(new Set(entered.map(({ userId }) => userId)).size).toBe(1);
  expect(entered.filter(({ isNew }) => isNew)).toHaveLength(1);
  const [user] = await database.sql`
    select users.email, encrypted_password, raw_app_meta_data as app, full_name, language
    from auth.users join public.profiles using (id) where id = ${entered[0]?.userId ?? ""}`;
  expect({ ...user }).toEqual({
    email: null,
    encrypted_password: null,
    app: { provider: "custom:telegram", providers: ["custom:telegram"] },
    full_name: "Ana Ruiz",
    language: "de",
  });
  expect(await enter(8_102)).toMatchObject({ isNew: true });
});

test("START-01 the private chat of the account is connected and confirmed without a question", async () => {
  const { sql } = database;
  const { userId } = await enter(8_103);
  const [{ outcome }] = await sql<[{ outcome: string }]>`
    select private.connect_own_chat(${userId}, 8103, 'Ana Ruiz') as outcome`;
  expect(outcome).toBe("connected");
  expect([
    ...(await sql`select chat_id::text, user_id from watch.confirmed_chats where chat_id = 8103`),
  ]).toEqual([expect.objectContaining({ chat_id: "8103", user_id: userId })]);
  const [asked] = await sql`select answer, is_own from watch.chat_questions where user_id = ${userId}`;
  expect({ ...asked }).toEqual({ answer: "yes", is_own: true });
  expect([...(await sql`select from watch.alerts where user_id = ${userId}`)]).toEqual([]);
});

test("START-05 a sign-in with Telegram added to an unproven address ends when its owner proves the address", async () => {
  const { sql } = database;
  for (const [index, prove] of [proveByMail, proveByGoogle].entries()) {
    const [{ id }] = await sql<[{ id: string }]>`
      insert into auth.users (email) values (${`squatted${index}@example.com`}) returning id`;
    await sql`
      insert into auth.identities (user_id, provider, provider_id, identity_data)
      values (${id}, 'custom:telegram', ${String(8_200 + index)}, '{}')`;
    const squatter = await openSession(sql, id);
    expect([...(await sql`select from private.proven_addresses where user_id = ${id}`)]).toEqual([]);
    await prove(sql, id);
    expect(await identitiesOf(id)).not.toContain("custom:telegram");
    expect([...(await sql`select from auth.sessions where id = ${squatter}`)]).toEqual([]);
  }
});
