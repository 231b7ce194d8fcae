import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FindPage } from "#core/finds/find.ts";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { type Advert, addFinds } from "./added-finds.ts";

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
    truncate public.listings, public.marks, public.own_places, public.find_settings, watch.portal_listings cascade`;
});

const find = (person: Person, adverts: Advert[]) => addFinds(product, person, adverts);

test("FIND-07 no function, filter or cursor reveals another person's finds, marks, notes, places or settings", async () => {
  const { sql } = product.database;
  await find(alice, [{ id: "1", listing: { title: "alices own" } }]);
  await alice.client.rpc("note_find", { listing_id: "1", note: "alices own" });
  await alice.client.from("own_places").insert({ name: "alices own", latitude: 1, longitude: 2 });
  await alice.client.from("find_settings").insert({ about: "alices own" });
  await find(bob, [{ id: "2" }]);
  const before = await sql`select * from public.marks`;
  const asBob = (name: string, values: object) => bob.client.rpc(name, values);
  expect((await asBob("my_find", { listing_id: "1" })).data).toBeNull();
  const refused = await Promise.all([
    asBob("mark_find", { listing_id: "1", mark: "hidden" }),
    asBob("mark_find", { listing_id: "1" }),
    asBob("note_find", { listing_id: "1", note: "bobs" }),
    asBob("note_find", { listing_id: "1" }),
  ]);
  expect(refused.map(({ error }) => error?.code)).toEqual(Array(4).fill("PT404"));
  expect(await sql`select * from public.marks`).toEqual(before);
  const { data: page } = await asBob("my_finds", { after: "newest -9e15 1" });
  expect((page as FindPage).finds.map(({ listingId }) => listingId)).toEqual(["2"]);
  const { error: asHer } = await bob.client
    .from("own_places")
    .insert({ user_id: alice.id, name: "x", latitude: 1, longitude: 2 });
  expect(asHer?.code).toBe("42501");
  const { error: given } = await alice.client
    .from("own_places")
    .update({ user_id: bob.id })
    .eq("name", "alices own");
  expect(given?.code).toBe("42501");
  for (const table of ["marks", "own_places", "find_settings", "listings"]) {
    const { data } = await bob.client.from(table).select("*").eq("user_id", alice.id);
    expect(data).toEqual([]);
    const { error } = await bob.client
      .from(table)
      .upsert({ user_id: alice.id, listing_id: "1", note: "bobs", about: "bobs" });
    expect(error?.code).toMatch(/^(42501|PGRST204)$/);
  }
});

test("FIND-01 FIND-07 invalid arguments are refused with a reason and change nothing", async () => {
  await find(alice, [{ id: "1" }]);
  const refusals = [
    { filter: [] },
    { filter: { searchId: "1" } },
    { filter: { searchId: null } },
    { filter: { state: "any" } },
    { filter: { state: ["new"] } },
    { filter: { zone: "%" } },
    { filter: { minPriceEur: "0" } },
    { filter: { maxPriceEur: -1 } },
    { filter: { order: "random" } },
    { filter: { user_id: alice.id } },
    { page_size: 0 },
    { page_size: 61 },
    ...[
      "",
      "newest",
      "price 1 1",
      "newest NaN 1",
      "newest 1e999 1",
      "newest 1; select 1 1",
      `newest 1 ${"x".repeat(65)}`,
    ].map((after) => ({ after })),
  ];
  for (const values of refusals) {
    const { error } = await alice.client.rpc("my_finds", values);
    expect([values, error?.code]).toEqual([values, "22023"]);
  }
  for (const [name, values] of [
    ["mark_find", { listing_id: "1", mark: "loved" }],
    ["note_find", { listing_id: "1", note: "x".repeat(2001) }],
    ["my_find_points", { filter: { state: "any" } }],
  ] as const)
    expect((await alice.client.rpc(name, values)).error?.code).toBe("22023");
  expect(await product.database.sql`select from public.marks`).toEqual([]);
  expect((await alice.client.rpc("note_find", { listing_id: "1", note: "x".repeat(2000) })).error).toBeNull();
});

test("FIND-06 a person has at most three places, also with concurrent inserts, each with a valid name and point", async () => {
  const place = (name: string, latitude: unknown = 40, longitude: unknown = -3) =>
    alice.client.from("own_places").insert({ name, latitude, longitude });
  const names = ["", " ", "a\nb", "a\u202eb", "\u200b", "a\u2028b", "x".repeat(41), "\u2800", " x"];
  for (const name of names) expect([name, (await place(name)).error?.code]).toEqual([name, "23514"]);
  for (const [latitude, longitude] of [
    [91, 0],
    [0, 181],
    ["NaN", 0],
    [0, "Infinity"],
  ])
    expect((await place("x", latitude, longitude)).error?.code).toBe("23514");
  const many = await Promise.all(["a", "b", "c", "d", "e"].map((name) => place(name)));
  expect(many.map(({ error }) => error?.code ?? "in").toSorted()).toEqual([
    "PT409",
    "PT409",
    "in",
    "in",
    "in",
  ]);
  await alice.client.from("own_places").delete().eq("user_id", alice.id);
  const list = Array.from({ length: 4 }, (_, n) => ({ name: `${n}`, latitude: n, longitude: n }));
  expect((await alice.client.from("own_places").insert(list)).error?.code).toBe("PT409");
  expect((await alice.client.from("own_places").insert(list.slice(1))).error).toBeNull();
});

test("FIND-04 FIND-05 warnings have known kinds, the profile's texts are short, and each person has one settings row", async () => {
  const save = (values: object) =>
    alice.client.from("find_settings").upsert({ user_id: alice.id, ...values });
  const refused = [
    { signs_off: ["haunted"] },
    { signs_left_out: [null] },
    {
      signs_off: [
        ["auction", "no-photo"],
        ["auction", "no-photo"],
      ],
    },
    { signs_off: Array(10_000).fill("auction") },
    { about: "x".repeat(301) },
    { who: " " },
  ];
  for (const values of refused) expect((await save(values)).error?.code).toBe("23514");
  expect((await save({ signs_off: ["auction"], who: "Ana" })).error).toBeNull();
  expect((await save({ signs_left_out: ["occupied"] })).error).toBeNull();
  const { data } = await alice.client.from("find_settings").select("*").single();
  expect(data).toMatchObject({ signs_off: ["auction"], signs_left_out: ["occupied"], who: "Ana" });
});
