import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FindFilter, FindPage } from "#core/finds/find.ts";
import type { PastHome } from "#core/rules/past-homes.ts";
import { type Person, signUpCast } from "#test/cast.ts";
import { INVALID_RULES, VALID_RULES } from "#test/fixtures/rules.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { addFinds } from "./added-finds.ts";

const RULE = { on: "warning", kind: "auction", act: "leave-out" };
let product: TestProduct;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob } = await signUpCast(product));
});
afterAll(() => product.stop());
beforeEach(async () => {
  await product.database.sql`
    truncate public.searches, public.listings, watch.portal_listings, watch.alerts, public.chats cascade`;
});

const sql = () => product.database.sql;

async function addSearch({ id }: Person, chatId = 700): Promise<string> {
  await sql()`
    insert into public.chats (user_id, chat_id, kind, state, confirmed_at)
    values (${id}, ${chatId}, 'private', 'connected', now()) on conflict do nothing`;
  const [row] = await sql()`
    insert into public.searches (user_id, filter_url, receiver_ids)
    values (${id}, 'https://www.idealista.com/alquiler-viviendas/madrid/chamberi/', ${[String(chatId)]})
    returning id`;
  return String(row?.id);
}

async function leaveOut({ id }: Person, listingId: string, searchId: string, daysAgo = 0): Promise<void> {
  await sql()`
    insert into public.left_outs (user_id, listing_id, search_id, rule, payload, left_out_at)
    values (${id}, ${listingId}, ${searchId}, ${sql().json(RULE)},
      ${sql().json({ listing: { propertyCode: listingId } })}, now() - ${daysAgo} * interval '1 day')`;
}

const idsOf = async ({ client }: Person, filter: FindFilter = {}) => {
  const { data, error } = await client.rpc("my_finds", { filter });
  expect(error).toBeNull();
  return (data as FindPage).finds.map(({ listingId }) => listingId).toSorted();
};

const countsOf = async ({ client }: Person, searchId?: string) => {
  const { data, error } = await client.rpc("my_left_out_counts", searchId ? { search_id: searchId } : {});
  expect(error).toBeNull();
  return data;
};

test("RULE-02 ONE-04 the database checks that rules are a list and its size, and leaves the rest to the parser", async () => {
  const id = await addSearch(alice);
  const save = async (rules: unknown) =>
    (await alice.client.from("searches").update({ rules }).eq("id", id)).error?.code;
  for (const rules of VALID_RULES) expect([rules, await save(rules)]).toEqual([rules, undefined]);
  expect(await save(INVALID_RULES)).toBeUndefined();
  const silent = { on: "advertiser", is: "agency", act: "silent" };
  const long = [
    { on: "words", are: "present", words: Array.from({ length: 900 }, () => crypto.randomUUID()) },
  ];
  for (const rules of [{}, "leave-out", null, Array(31).fill(silent), long]) {
    expect(await save(rules)).toBe(rules === null ? "23502" : "23514");
  }
});

test("RULE-03 what was left out is listed and counted apart, and another search's find stays a find", async () => {
  const [first, second] = [await addSearch(alice), await addSearch(alice)];
  await addFinds(product, alice, [{ id: "1" }, { id: "2" }], []);
  await addFinds(product, alice, [{ id: "3" }, { id: "4" }], [second]);
  await leaveOut(alice, "1", first);
  await leaveOut(alice, "2", first, 3);
  // The second search found it.
  await leaveOut(alice, "3", first);
  expect(await idsOf(alice)).toEqual(["3", "4"]);
  expect(await idsOf(alice, { state: "left-out" })).toEqual(["1", "2", "3"]);
  expect(await idsOf(alice, { state: "left-out", searchId: second })).toEqual([]);
  expect(await idsOf(alice, { searchId: second })).toEqual(["3", "4"]);
  expect(await idsOf(bob, { state: "left-out" })).toEqual([]);
  expect(await countsOf(alice)).toEqual({ today: 2, week: 3, month: 3 });
  expect(await countsOf(alice, second)).toEqual({ today: 0, week: 0, month: 0 });
  const { data: page } = await alice.client.rpc("my_finds", { filter: { state: "left-out" } });
  expect((page as FindPage).finds[0]?.leftOutBy).toEqual([{ searchId: first, rule: RULE }]);
  // A deleted search does not turn what it left out into finds.
  await sql()`delete from public.searches where id = ${first}`;
  expect(await idsOf(alice)).toEqual(["3", "4"]);
});

test("CALM-02 a home counts once, however many listings it has and searches left it out", async () => {
  const [first, second] = [await addSearch(alice), await addSearch(alice)];
  const adverts = [{ id: "1" }, { id: "2", home: "1" }, { id: "3", home: "1" }, { id: "4" }];
  await addFinds(product, alice, adverts, []);
  await leaveOut(alice, "1", first, 20);
  await leaveOut(alice, "2", first, 3);
  await leaveOut(alice, "3", first);
  await leaveOut(alice, "3", second);
  await leaveOut(alice, "4", second, 40);
  expect(await idsOf(alice, { state: "left-out", searchId: first })).toEqual(["3"]);
  expect(await countsOf(alice)).toEqual({ today: 1, week: 1, month: 1 });
  expect(await countsOf(alice, first)).toEqual({ today: 1, week: 1, month: 1 });
  expect(await countsOf(bob)).toEqual({ today: 0, week: 0, month: 0 });
  // What rules would have done is counted in homes too, each as its latest listing says.
  const { data: past } = await alice.client.rpc("my_past_homes", { search_id: first });
  expect((past as PastHome[]).map(({ card }) => card.title)).toEqual(["Flat 3"]);
});

test("RULE-03 a home that is brought back is a find and is alerted once, and only by its owner", async () => {
  const id = await addSearch(alice);
  await addFinds(product, alice, [{ id: "1" }], []);
  await leaveOut(alice, "1", id);
  expect((await bob.client.rpc("bring_back", { listing_id: "1" })).error?.code).toBe("PT404");
  for (let time = 0; time < 2; time += 1) {
    expect((await alice.client.rpc("bring_back", { listing_id: "1" })).error).toBeNull();
  }
  expect(await idsOf(alice, { searchId: id })).toEqual(["1"]);
  expect(await idsOf(alice, { state: "left-out" })).toEqual([]);
  const alerts = await sql()`
    select kind, listing_id, chat_id::text, payload from watch.alerts where user_id = ${alice.id}`;
  expect(alerts.map((row) => ({ ...row }))).toEqual([
    { kind: "new", listing_id: "1", chat_id: "700", payload: { listing: { propertyCode: "1" } } },
  ]);
  expect(await countsOf(alice)).toMatchObject({ today: 1 });
});

test("RULE-02 a person reads the past homes of their own search only, of 30 days and 500 at most", async () => {
  const id = await addSearch(alice);
  await addFinds(
    product,
    alice,
    [
      { id: "1", warnings: [RULE] },
      { id: "old", hoursAgo: 24 * 31 },
    ],
    [id],
  );
  await addFinds(product, alice, [{ id: "2" }], []);
  await leaveOut(alice, "2", id);
  const homes = async ({ client }: Person) => {
    const { data, error } = await client.rpc("my_past_homes", { search_id: id });
    expect(error).toBeNull();
    return data as PastHome[];
  };
  expect((await homes(alice)).map(({ card }) => card.title).toSorted()).toEqual(["Flat 1", "Flat 2"]);
  expect(await homes(alice)).toContainEqual(
    expect.objectContaining({
      words: null,
      card: expect.objectContaining({
        ...{ title: "Flat 1", latitude: 40.41 },
        warnings: [expect.objectContaining({ kind: "auction" })],
      }),
    }),
  );
  expect(await homes(bob)).toEqual([]);
  await sql()`
    insert into public.listings (user_id, listing_id, details, search_ids)
    select ${alice.id}, 'x' || n, '{}', array[${id}]::uuid[] from generate_series(1, 600) as n`;
  expect(await homes(alice)).toHaveLength(500);
});
