import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { connectByLink, stopChat } from "#telegram/bot/rows/consent.ts";
import { type Person, signUp, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { tracesOf } from "./access-probe.ts";

const urlOf = (place: string) => `https://www.idealista.com/alquiler-viviendas/${place}-madrid/`;
const NOTHING_LOST = { error: null };

let product: TestProduct;
let alice: Person;
let bob: Person;
/** A second device of Alice. */
let laptop: Person["client"];

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob } = await signUpCast(product));
  laptop = product.createClient();
  const { error } = await laptop.auth.signInWithPassword({ email: alice.email, password: "alice-password" });
  expect(error).toBeNull();
});

afterAll(() => product.stop());

beforeEach(async () => {
  await product.database.sql`
    truncate public.searches, public.chats, watch.chats, watch.chat_questions, watch.alerts,
      watch.link_tokens, watch.compiled_searches, watch.search_chats, public.marks cascade`;
});

const add = ({ client, id }: Person, place: string, receiverIds: string[], more: object = {}) =>
  client
    .from("searches")
    .insert({ user_id: id, filter_url: urlOf(place), receiver_ids: receiverIds, ...more });

/** Adds searches in this order, so the first becomes the first search; returns their ids. */
async function addAll(person: Person, ...searches: [place: string, ...ids: string[]][]): Promise<string[]> {
  for (const [place, ...ids] of searches) expect(await add(person, place, ids)).toMatchObject(NOTHING_LOST);
  return (await searchesOf(person)).map(({ id }) => id);
}

const searchesOf = ({ id }: Person) => product.database.sql<
  { id: string; place: string; ids: string[]; name: string | null; is_first: boolean }[]
>`
  select id, split_part(split_part(filter_url, '/', 5), '-madrid', 1) as place, receiver_ids as ids, name, is_first
  from public.searches where user_id = ${id} order by is_first desc, created_at, id`;

const chatsOf = async ({ id }: Person) =>
  (
    await product.database.sql`
      select chat_id::text || ' ' || state as chat from public.chats where user_id = ${id} order by chat_id`
  ).map(({ chat }) => chat);

/** Marks a search as started by the watcher. */
const begin = (person: Person, searchId: string) => product.database.sql`
  insert into watch.compiled_searches (filter_id, user_id, filter_url, baseline_at)
  select id, user_id, filter_url, '2026-01-01' from public.searches
  where user_id = ${person.id} and id = ${searchId}`;

test("MANY-01 a name is one line without invisible or direction-changing characters, also by REST", async () => {
  expect(await add(alice, "getafe", ["1"])).toMatchObject(NOTHING_LOST);
  expect(await add(alice, "pinto", ["1"], { name: "Ana 👩‍👧 · café" })).toMatchObject(NOTHING_LOST);
  const unseen = [
    0x0a, 0x7f, 0x85, 0xad, 0x61c, 0x200b, 0x200e, 0x2028, 0x202e, 0x2060, 0x2066, 0x2069, 0xfeff,
  ];
  for (const name of unseen.map((code) => `a${String.fromCodePoint(code)}b`))
    for (const table of ["filter_settings", "searches"]) {
      const { error } = await alice.client.from(table).update({ name }).eq("user_id", alice.id);
      expect([name, error?.code]).toEqual([name, "23514"]);
    }
  expect((await searchesOf(alice)).map(({ name }) => name)).toEqual([null, "Ana 👩‍👧 · café"]);
});

test("MANY-01 of fifteen concurrent searches ten are saved, with one first search, which can still be changed", async () => {
  const places = Array.from({ length: 15 }, (_, n) => `place-${n}`);
  const answers = await Promise.all(places.map((place) => add(alice, place, ["1"])));
  expect(answers.filter(({ error }) => error === null)).toHaveLength(10);
  const refused = answers.flatMap(({ error }) => (error ? [`${error.code} ${error.details}`] : []));
  expect(refused).toEqual(Array(5).fill("PT409 too-many-searches"));
  expect((await searchesOf(alice)).map(({ is_first }) => is_first)).toEqual([true, ...Array(9).fill(false)]);

  const first = { user_id: alice.id, filter_url: urlOf("getafe"), receiver_ids: ["1"] };
  const saved = await alice.client.from("filter_settings").upsert(first, { onConflict: "user_id" });
  expect(saved.error).toBeNull();
  expect(await searchesOf(alice)).toHaveLength(10);
});

test("MANY-01 two devices that change two searches concurrently lose nothing", async () => {
  const [first = "", second = ""] = await addAll(alice, ["getafe", "1"], ["parla", "1"]);
  const answers = await Promise.all([
    alice.client
      .from("filter_settings")
      .update({ name: "Hers", receiver_ids: ["1", "2"] })
      .eq("id", first),
    laptop
      .from("searches")
      .update({ name: "His", receiver_ids: ["1", "3"] })
      .eq("id", second),
    alice.client.from("filter_settings").update({ is_paused: true }).eq("id", first),
    laptop
      .from("searches")
      .update({ filter_url: urlOf("pinto") })
      .eq("id", second),
  ]);
  expect(answers.map(({ error }) => error)).toEqual([null, null, null, null]);
  expect(await searchesOf(alice)).toMatchObject([
    { id: first, place: "getafe", ids: ["1", "2"], name: "Hers" },
    { id: second, place: "pinto", ids: ["1", "3"], name: "His" },
  ]);
  expect(await chatsOf(alice)).toEqual(["1 waiting", "2 waiting", "3 waiting"]);
});

test("MANY-01 a chat's consent lasts until the last search removes the chat", async () => {
  const { sql } = product.database;
  const [first = "", second = ""] = await addAll(alice, ["getafe", "1", "2"], ["parla", "1"]);
  await sql`update public.chats set state = 'connected', confirmed_at = now() where chat_id = 1`;
  await alice.client
    .from("filter_settings")
    .update({ receiver_ids: ["2"] })
    .eq("id", first);
  expect(await chatsOf(alice)).toEqual(["1 connected", "2 waiting"]);
  await alice.client.from("searches").delete().eq("id", second);
  expect(await chatsOf(alice)).toEqual(["2 waiting"]);
});

test("MANY-01 the eleventh chat over all searches is refused and changes nothing", async () => {
  const [, second = ""] = await addAll(
    alice,
    ["getafe", "1", "2", "3", "4", "5", "6"],
    ["parla", "6", "7", "8", "9", "10"],
  );
  const before = [await searchesOf(alice), await chatsOf(alice)];
  const answers = [
    await add(alice, "pinto", ["1", "11"]),
    await alice.client
      .from("searches")
      .update({ receiver_ids: ["6", "7", "8", "9", "10", "11"] })
      .eq("id", second),
    await alice.client
      .from("filter_settings")
      .update({ receiver_ids: ["1", "2", "3", "4", "5", "6", "11"] })
      .eq("user_id", alice.id),
  ];
  expect(answers.map(({ error }) => `${error?.code} ${error?.details}`)).toEqual(
    Array(3).fill("PT409 too-many-chats"),
  );
  expect([await searchesOf(alice), await chatsOf(alice)]).toEqual(before);
  expect(await add(alice, "pinto", ["1", "10"])).toMatchObject(NOTHING_LOST);
});

test("MANY-01 when the first search is deleted the oldest one follows and continues to be watched", async () => {
  const { sql } = product.database;
  const [first = "", second = "", third = ""] = await addAll(
    alice,
    ["getafe", "1"],
    ["parla", "1", "2"],
    ["pinto", "2"],
  );
  await sql`update public.chats set state = 'connected', confirmed_at = now()`;
  for (const id of [first, second]) await begin(alice, id);
  await sql`insert into watch.search_chats (search_id, chat_id, topic_id) values (${first}, 1, 7), (${second}, 2, 8)`;
  const created = await sql`select created_at from public.searches where id = ${second}`;

  await alice.client.from("filter_settings").delete().eq("user_id", alice.id);
  expect(await searchesOf(alice)).toMatchObject([
    { id: second, place: "parla", ids: ["1", "2"], is_first: true },
    { id: third, place: "pinto", ids: ["2"], is_first: false },
  ]);
  expect(await sql`select created_at from public.searches where id = ${second}`).toEqual(created);
  expect(await sql`select filter_id, baseline_at from watch.compiled_searches`).toEqual([
    { filter_id: second, baseline_at: new Date("2026-01-01") },
  ]);
  expect(await sql`select search_id, topic_id::int as topic from watch.search_chats`).toEqual([
    { search_id: second, topic: 8 },
  ]);
  expect(await chatsOf(alice)).toEqual(["1 connected", "2 connected"]);
});

test("MANY-01 a first search remains the first until it is deleted", async () => {
  const [first = "", second = ""] = await addAll(alice, ["getafe", "1"], ["parla", "1"]);
  const before = await searchesOf(alice);
  const update = (table: string, change: object, id: string) =>
    alice.client.from(table).update(change).eq("id", id);
  const answers = [
    await update("searches", { first_of: null }, first),
    await update("searches", { first_of: bob.id }, first),
    await update("searches", { first_of: alice.id }, second),
    await update("searches", { first_of: bob.id }, second),
    await update("filter_settings", { user_id: null }, first),
  ];
  expect(answers.map(({ error }) => error?.code)).toEqual(["42501", "42501", "23505", "23514", "42501"]);
  expect(await searchesOf(alice)).toEqual(before);
});

test("MANY-01 another person's searches cannot be read, changed, deleted or taken over by their ids", async () => {
  const ids = await addAll(alice, ["getafe", "1"], ["parla", "1"]);
  await addAll(bob, ["leganes", "5"], ["mostoles", "5"]);
  const before = await searchesOf(alice);
  for (const table of ["searches", "filter_settings"]) {
    const theirs = () => bob.client.from(table);
    expect((await theirs().select("id").in("id", ids)).data).toEqual([]);
    expect((await theirs().update({ name: "Mine" }).in("id", ids).select("id")).data).toEqual([]);
    expect((await theirs().delete().in("id", ids).select("id")).data).toEqual([]);
    const row = { filter_url: urlOf("getafe"), receiver_ids: ["5"] };
    const foreign = await theirs().insert({ ...row, user_id: alice.id });
    expect(foreign.error?.code).toBe("42501");
    for (const id of ids) {
      const adopted = await theirs().upsert({ ...row, user_id: bob.id, id });
      expect(adopted.error?.code).toBe("42501");
    }
  }
  const given = await bob.client.from("searches").update({ user_id: alice.id }).eq("user_id", bob.id);
  expect(given.error?.code).toBe("42501");
  expect((await bob.client.from("searches").select("user_id")).data).toEqual([
    { user_id: bob.id },
    { user_id: bob.id },
  ]);
  expect((await bob.client.rpc("create_telegram_link", { search_id: ids[1] })).error).toMatchObject({
    details: "no-such-search",
  });
  expect(await searchesOf(alice)).toEqual(before);
});

test("MANY-01 the export contains all searches, and a deleted account leaves none of them", async () => {
  const { sql } = product.database;
  const dora = await signUp(product, "dora");
  const ids = await addAll(dora, ["getafe", "1"], ["parla", "2"], ["pinto", "1", "2"]);
  for (const id of ids) {
    await begin(dora, id);
    await sql`insert into watch.search_chats (search_id, chat_id, muted_until) values (${id}, 1, now())`;
  }
  const { data } = await dora.client.rpc("export_my_data");
  expect(data.searches.map(({ id }: { id: string }) => id)).toEqual(ids);

  const { error } = await dora.client.rpc("delete_my_account", { current_password: "dora-password" });
  expect(error).toBeNull();
  for (const id of [dora.id, ...ids]) expect(await tracesOf(product, id)).toEqual([]);
});

test("MANY-01 a group that becomes a supergroup gets its new id in every search, mute and mark", async () => {
  const { sql } = product.database;
  const [first = "", second = ""] = await addAll(alice, ["getafe", "-501"], ["parla", "3", "-501"]);
  await sql`update public.chats set state = 'connected', confirmed_at = now()`;
  for (const id of [first, second]) {
    await sql`insert into watch.search_chats (search_id, chat_id, muted_until) values (${id}, -501, '2026-12-01')`;
  }
  await sql`insert into public.marks (user_id, listing_id, mark, chat_id) values (${alice.id}, '100000001', 'kept', -501)`;
  await sql`select watch.move_chat(-501, -1001)`;
  expect((await searchesOf(alice)).map(({ ids }) => ids)).toEqual([["-1001"], ["3", "-1001"]]);
  expect(await chatsOf(alice)).toEqual(["-1001 connected", "3 connected"]);
  const muted = await sql`
    select search_id, chat_id::int as chat, muted_until from watch.search_chats order by search_id`;
  expect(muted).toEqual(
    [first, second].sort().map((id) => ({ search_id: id, chat: -1001, muted_until: new Date("2026-12-01") })),
  );
  expect(await sql`select chat_id::int as chat from public.marks`).toEqual([{ chat: -1001 }]);
});

test("MANY-01 concurrent saves, deletions, connections and stops of one person never deadlock", async () => {
  const { sql } = product.database;
  const codes: unknown[] = [];
  for (let round = 0; round < 30; round += 1) {
    const token = `token-${round}`;
    await sql`
      insert into public.filter_settings (user_id, filter_url, receiver_ids)
      values (${alice.id}, ${urlOf("getafe")}, '{1,2}')`;
    await sql`
      insert into public.searches (user_id, filter_url, receiver_ids)
      values (${alice.id}, ${urlOf("parla")}, '{2,3}')`;
    await sql`
      insert into watch.link_tokens (token_hash, user_id, expires_at)
      values (sha256(convert_to(${token}, 'UTF8')), ${alice.id}, now() + interval '1 hour')`;
    const first = { user_id: alice.id, filter_url: urlOf("pinto"), receiver_ids: ["3", "4", "1"] };
    const answers = await Promise.all([
      alice.client.from("filter_settings").upsert(first, { onConflict: "user_id" }),
      laptop
        .from("searches")
        .update({ receiver_ids: ["4", "2"] })
        .eq("user_id", alice.id),
      laptop.from("filter_settings").delete().eq("user_id", alice.id),
      add(alice, "mostoles", ["2", "1"]),
      ...["1", "2", "3"].map((id) => stopChat(sql, id).then(() => NOTHING_LOST, asError)),
      connectByLink(sql, { token, chatId: String(100 + round), kind: "group", title: "Us" }).then(
        () => NOTHING_LOST,
        asError,
      ),
    ]);
    codes.push(...answers.flatMap(({ error }) => error?.code ?? []));
    const left = await searchesOf(alice);
    expect(left.filter(({ is_first }) => is_first)).toHaveLength(1);
    const named = new Set(left.flatMap(({ ids }) => ids));
    expect(new Set((await chatsOf(alice)).map((held) => held.split(" ")[0]))).toEqual(named);
    await sql`delete from public.searches`;
  }
  expect(codes).toEqual([]);
});

const asError = (error: { code?: string }) => ({ error: { code: error.code ?? String(error) } });
