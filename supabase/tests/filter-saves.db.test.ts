// Saves of searches by people with two devices. A change is sent by the very function that the pages use.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { connectByLink } from "#telegram/bot/rows/consent.ts";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;
/** Two devices of Alice, each with its own session. */
let phone: Person["client"];
let laptop: Person["client"];

const MADRID = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";
const GETAFE = "https://www.idealista.com/alquiler-viviendas/getafe-madrid/";
const SORIA = "https://www.idealista.com/alquiler-viviendas/soria-soria/";

interface Filter {
  url: string;
  ids: string[];
}

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob } = await signUpCast(product));
  phone = alice.client;
  laptop = product.createClient();
  const { error } = await laptop.auth.signInWithPassword({ email: alice.email, password: "alice-password" });
  expect(error).toBeNull();
});

afterAll(() => product.stop());

const BEGUN: Filter = { url: MADRID, ids: ["1", "2"] };

beforeEach(async () => {
  await forgetAll();
  expect((await saveFirst(phone, BEGUN)).data).toMatchObject({ is_first: true });
});

const saveFirst = (client: Person["client"], { url, ids }: Filter, seen: string[] = []) =>
  client.rpc("save_first", { filter_url: url, receiver_ids: ids, seen_chats: seen });

/** The condition names what the page has shown. Returns whether the row was still so. */
async function change(client: Person["client"], before: Filter, mine: Filter): Promise<boolean> {
  const { data, error } = await client
    .from("searches")
    .update({ filter_url: mine.url, receiver_ids: mine.ids })
    .eq("user_id", alice.id)
    .eq("filter_url", before.url)
    .eq("receiver_ids", `{${before.ids.join(",")}}`)
    .select("id");
  expect(error).toBeNull();
  return (data ?? []).length > 0;
}

const stored = async () => {
  const rows = await product.database
    .sql`select filter_url as url, receiver_ids as ids from public.filter_settings`;
  return rows.map(({ url, ids }) => ({ url, ids }));
};

test("DOOR-17 WEB-03 a change is refused in one statement if the row is no longer what it replaces", async () => {
  expect(await change(phone, BEGUN, { url: SORIA, ids: ["1"] })).toBe(true);
  expect(await change(laptop, BEGUN, { url: GETAFE, ids: ["1", "2", "5"] })).toBe(false);
  expect(await stored()).toEqual([{ url: SORIA, ids: ["1"] }]);
});

test("DOOR-17 WEB-03 of concurrent changes of the same row exactly one holds", async () => {
  const ids = ["11", "12", "13", "14", "15", "16", "17"];
  const held = await Promise.all(
    ids.map((id, at) => change(at % 2 ? phone : laptop, BEGUN, { url: MADRID, ids: ["1", "2", id] })),
  );
  expect(held.filter(Boolean)).toHaveLength(1);
  expect(await stored()).toEqual([{ url: MADRID, ids: ["1", "2", ids[held.indexOf(true)]] }]);
});

test("DOOR-17 of concurrent first saves one holds, and the others are told that there is a search", async () => {
  await product.database.sql`truncate public.searches cascade`;
  const answers = await Promise.all([
    saveFirst(phone, { url: SORIA, ids: ["3"] }),
    saveFirst(laptop, { url: GETAFE, ids: ["4"] }),
    saveFirst(phone, { url: SORIA, ids: ["3"] }),
  ]);
  expect(answers.map(({ error }) => error)).toEqual([null, null, null]);
  expect(answers.filter(({ data }) => data !== null)).toHaveLength(1);
  expect(await stored()).toHaveLength(1);
});

async function connectByTelegram(chatId: string) {
  const { data } = await phone.rpc("create_telegram_link");
  const chat = { chatId, kind: "private", title: "Ana" } as const;
  return connectByLink(product.database.sql, { token: data.token, ...chat });
}

test("DOOR-17 a chat that connected before the first save is kept, unless the person removed it", async () => {
  await forgetAll();
  await connectByTelegram("71");
  await connectByTelegram("72");
  expect((await saveFirst(laptop, { url: MADRID, ids: ["5"] }, ["72"])).error).toBeNull();
  expect(await stored()).toMatchObject([{ ids: ["5", "71"] }]);
  const chats = await product.database.sql`select chat_id::text as id, state from public.chats order by 1`;
  expect([...chats]).toEqual([
    { id: "5", state: "waiting" },
    { id: "71", state: "connected" },
  ]);
});

/** Not truncated: that would lock whole tables, which the connection of a round before may still use. */
async function forgetAll(): Promise<void> {
  await product.database.sql`delete from public.searches`;
  await product.database.sql`delete from public.chats`;
}

test("DOOR-17 a chat that connects during the first save is in both lists", async () => {
  for (let round = 0; round < 10; round += 1) {
    await forgetAll();
    const chatId = `8${round}`;
    const [saved, connected] = await Promise.all([
      saveFirst(laptop, { url: MADRID, ids: ["5"] }),
      connectByTelegram(chatId),
    ]);
    expect([saved.error, connected.is]).toEqual([null, "connected"]);
    expect(await stored()).toMatchObject([{ ids: ["5", chatId] }]);
  }
});

test("DATA-01 an upsert of three columns overwrites", async () => {
  const { error } = await laptop
    .from("filter_settings")
    .upsert({ user_id: alice.id, filter_url: GETAFE, receiver_ids: ["5"] }, { onConflict: "user_id" });
  expect(error).toBeNull();
  expect(await stored()).toEqual([{ url: GETAFE, ids: ["5"] }]);
});

test("an invalid link or list of chats is refused, in a first search too", async () => {
  const invalid = [[], [null], ["1", null], ["x"], ["1", "1"]];
  for (const receiver_ids of invalid) {
    const { status, error } = await laptop
      .from("filter_settings")
      .upsert({ user_id: alice.id, filter_url: MADRID, receiver_ids }, { onConflict: "user_id" });
    expect([status, error?.code], JSON.stringify(receiver_ids)).toEqual([400, "23514"]);
  }
  expect(await stored()).toMatchObject([BEGUN]);
  await product.database.sql`truncate public.searches cascade`;
  for (const ids of invalid)
    expect((await saveFirst(laptop, { url: MADRID, ids: ids as string[] })).error?.code).toBe("23514");
  expect((await saveFirst(laptop, { url: "https://example.com/", ids: ["1"] })).error?.code).toBe("23514");
});

test("DATA-02 Bob's first search is his own, and Alice's is untouched", async () => {
  const { data, error } = await saveFirst(bob.client, { url: GETAFE, ids: ["666"] });
  expect(error).toBeNull();
  expect(data).toMatchObject({ user_id: bob.id, is_first: true, receiver_ids: ["666"] });
  const rows = await product.database
    .sql`select filter_url as url, receiver_ids as ids from public.filter_settings where user_id = ${alice.id}`;
  expect([...rows]).toEqual([BEGUN]);
});
