import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Person, signUp, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

const FILTER_URL = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";

let product: TestProduct;
let alice: Person;
let bob: Person;
let guest: Person["client"];

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob, guest } = await signUpCast(product));
});

afterAll(() => product.stop());

beforeEach(async () => {
  await product.database.sql`
    truncate public.searches, public.chats, watch.chats, watch.chat_questions, watch.alerts, watch.link_tokens cascade`;
});

async function save(person: Person, ...receiverIds: string[]): Promise<void> {
  const { error } = await person.client
    .from("filter_settings")
    .upsert(
      { user_id: person.id, filter_url: FILTER_URL, receiver_ids: receiverIds },
      { onConflict: "user_id" },
    );
  expect(error).toBeNull();
}

async function askedForItsId(chatId: number, hoursAgo: number): Promise<void> {
  await product.database.sql`
    insert into watch.chats (chat_id, kind, title, standing, asked_id_at)
    values (${chatId}, 'private', 'Alex', 'ok', now() - ${hoursAgo} * interval '1 hour')`;
}

const chatsOf = async (person: Person) =>
  (await person.client.from("chats").select("chat_id, kind, title, state, reason").order("chat_id")).data;
const questions = () =>
  product.database
    .sql`select chat_id::float8 as chat, payload from watch.alerts where kind = 'question' order by 1`;

test("an id saved within a day of the chat's own request is connected, and its name is hidden until it confirms the account", async () => {
  await askedForItsId(501, 23);
  await askedForItsId(502, 25);
  await save(alice, "501", "502");
  expect(await chatsOf(alice)).toEqual([
    { chat_id: 501, kind: null, title: null, state: "connected", reason: null },
    { chat_id: 502, kind: null, title: null, state: "waiting", reason: null },
  ]);
  expect(await questions()).toEqual([{ chat: 502, payload: {} }]);
});

test("DOOR-05 ten typed ids reveal nothing about ten people, in the table or in the export", async () => {
  const ids = Array.from({ length: 10 }, (_, index) => 601 + index);
  for (const id of ids) await askedForItsId(id, 1);
  await save(alice, ...ids.map(String));
  const states = (await chatsOf(alice))?.map(({ kind, title, state }) => ({ kind, title, state }));
  expect(states).toEqual(Array(10).fill({ kind: null, title: null, state: "connected" }));
  const exported = await alice.client.rpc("export_my_data");
  expect(JSON.stringify(exported.data)).not.toMatch(/Alex|"private"/);
  const told = await product.database.sql`
    select chat_id::float8 as chat, payload from watch.alerts where kind = 'connected' order by 1`;
  expect(told).toEqual(ids.map((chat) => ({ chat, payload: {} })));
});

test("DOOR-05 the database stores no name of a chat that did not consent, and a declined id is not held against anybody", async () => {
  const { sql } = product.database;
  await askedForItsId(501, 1);
  await save(alice, "501");
  await expect(sql`update public.chats set title = 'Alex'`).rejects.toThrow("a_name_needs_a_yes");
  await expect(sql`update public.chats set kind = 'private'`).rejects.toThrow("a_name_needs_a_yes");
  await sql`update public.chats set state = 'declined', reason = 'said-no'`;
  await sql`update watch.chat_questions set answer = 'no'`;
  await save(bob, "501");
  expect(await chatsOf(bob)).toMatchObject([{ state: "connected", title: null }]);
  await save(alice, "502");
  await save(alice, "501");
  expect(await chatsOf(alice)).toMatchObject([{ state: "declined", reason: "said-no", title: null }]);
});

test("an id that another account uses must confirm, however recent its own request was", async () => {
  await askedForItsId(501, 1);
  await save(alice, "501");
  await save(bob, "501");
  expect(await chatsOf(bob)).toMatchObject([{ state: "waiting", title: null }]);
  expect(await questions()).toEqual([{ chat: 501, payload: {} }]);
});

test("G01 a chat is asked once, however often its id is removed and added again", async () => {
  for (const ids of [["501"], ["502"], ["501"], ["501", "502"], ["501"]]) await save(alice, ...ids);
  expect((await questions()).map(({ chat }) => chat)).toEqual([501, 502]);
});

test("a chat that declined remains declined when its id is added again", async () => {
  await save(alice, "501");
  await product.database.sql`update watch.chat_questions set answer = 'no'`;
  await save(alice, "502");
  await save(alice, "501");
  expect(await chatsOf(alice)).toMatchObject([{ chat_id: 501, state: "declined", reason: "said-no" }]);
});

test("a chat is asked by at most five accounts a day, and the sixth sees the reason", async () => {
  const people = await Promise.all([..."cdefgh"].map((letter) => signUp(product, `${letter}-asks`)));
  for (const person of people) await save(person, "501");
  expect(await questions()).toHaveLength(5);
  expect(await chatsOf(people[5] as Person)).toMatchObject([
    { state: "waiting", reason: "too-many-questions" },
  ]);
});

test("deleting a filter removes its chats", async () => {
  await save(alice, "501");
  await alice.client.from("filter_settings").delete().eq("user_id", alice.id);
  expect(await chatsOf(alice)).toEqual([]);
});

test("a link token is stored as a hash and lasts 15 minutes, with at most 30 an hour", async () => {
  const { data } = await alice.client.rpc("create_telegram_link");
  const { token, expires_at } = data as { token: string; expires_at: string };
  expect(token).toMatch(/^[\w-]{22}$/);
  const stored = await product.database.sql<{ is_hash: boolean; left: number; row: string }[]>`
    select token_hash = sha256(convert_to(${token}, 'UTF8')) as is_hash, link_tokens::text as row,
      extract(epoch from expires_at - created_at)::float8 as left from watch.link_tokens`;
  expect(stored).toMatchObject([{ is_hash: true, left: 900 }]);
  expect(stored[0]?.row).not.toContain(token);
  expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
  for (let count = 1; count < 30; count += 1) await alice.client.rpc("create_telegram_link");
  expect((await alice.client.rpc("create_telegram_link")).error).toMatchObject({
    code: "PT429",
    details: "too-many-links",
  });
  expect((await guest.rpc("create_telegram_link")).error?.code).toBe("42501");
});

test("at most three test messages an hour are sent, only to one's own connected chats", async () => {
  await askedForItsId(501, 1);
  await save(alice, "501", "502");
  const send = async (person: Person, chatId: number) =>
    (await person.client.rpc("send_test_message", { chat_id: chatId })).error?.details ?? null;
  expect([await send(alice, 502), await send(bob, 501)]).toEqual(["not-connected", "not-connected"]);
  const answers = [];
  for (let count = 0; count < 4; count += 1) answers.push(await send(alice, 501));
  expect(answers).toEqual([null, null, null, "too-many-tests"]);
  expect(await product.database.sql`select from watch.alerts where kind = 'test'`).toHaveLength(3);
});

test("G17 a group that became a supergroup gets its new id everywhere, also where both ids were saved", async () => {
  const { sql } = product.database;
  await save(alice, "-501", "-1001");
  await save(bob, "-501");
  await sql`select watch.move_chat(-501, -1001)`;
  const filters = await sql`select receiver_ids from public.filter_settings`;
  expect(filters.map((row) => row.receiver_ids)).toEqual([["-1001"], ["-1001"]]);
  for (const table of ["public.chats", "watch.chats", "watch.alerts", "watch.chat_questions"]) {
    const ids = await sql.unsafe(`select distinct chat_id::text from ${table}`);
    expect([table, ids.map((row) => row.chat_id)]).toEqual([table, ["-1001"]]);
  }
  expect(await chatsOf(bob)).toMatchObject([{ chat_id: -1001, kind: null, state: "waiting" }]);
});

test("BOT-03 everyone who uses a chat sees when it cannot be reached, and when it can again", async () => {
  const { sql } = product.database;
  await askedForItsId(501, 1);
  await save(alice, "501");
  await sql`select watch.set_standing(501, 'blocked', null)`;
  expect(await chatsOf(alice)).toMatchObject([{ state: "blocked", reason: null }]);
  await sql`select watch.set_standing(501, 'unreachable', 'deactivated')`;
  expect(await chatsOf(alice)).toMatchObject([{ state: "unreachable", reason: "deactivated" }]);
  await sql`select watch.set_standing(501, 'ok', null)`;
  expect(await chatsOf(alice)).toMatchObject([{ state: "connected", reason: null }]);
});

test("a person whose chat could not be asked sees that, and is not connected by it", async () => {
  await save(alice, "501");
  await product.database.sql`select watch.set_standing(501, 'unreachable', 'not-started')`;
  expect(await chatsOf(alice)).toMatchObject([{ state: "waiting", reason: "not-started" }]);
  await product.database.sql`select watch.set_standing(501, 'ok', null)`;
  expect(await chatsOf(alice)).toMatchObject([{ state: "waiting", reason: null }]);
});

test("a person sees only their own watch state, which is empty without a search", async () => {
  await save(alice, "501");
  expect((await bob.client.rpc("my_watches")).data).toEqual([]);
  expect((await alice.client.rpc("my_watches")).data).toMatchObject([
    {
      is_paused: false,
      baseline_at: null,
      alerts: { found: 0, sent: 0, waiting: 0, undelivered: 0 },
      latest_alerts: [],
    },
  ]);
  expect((await guest.rpc("my_watches")).error?.code).toBe("42501");
});

test("a person pauses their own watch and sets quiet hours with both ends or none", async () => {
  await save(alice, "501");
  await alice.client.from("filter_settings").update({ is_paused: true }).eq("user_id", alice.id);
  expect((await alice.client.rpc("my_watches")).data).toMatchObject([{ is_paused: true }]);
  await bob.client.from("filter_settings").update({ is_paused: false }).eq("user_id", alice.id);
  expect((await alice.client.rpc("my_watches")).data).toMatchObject([{ is_paused: true }]);
  const quiet = (hours: object) => alice.client.from("filter_settings").update(hours).eq("user_id", alice.id);
  expect((await quiet({ quiet_from: "23:00", quiet_until: "07:30" })).error).toBeNull();
  expect((await quiet({ quiet_from: null })).error?.code).toBe("23514");
});
