import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FindDetails, FindPage } from "#core/finds/find.ts";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { refreshMarketFigures } from "#watcher/refresh-market-figures.ts";
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
    truncate public.listings, public.marks, public.own_places, public.find_settings, watch.portal_listings,
      watch.alerts cascade`;
});

const find = (person: Person, adverts: Advert[]) => addFinds(product, person, adverts);

const findsOf = async ({ client }: Person) => ((await client.rpc("my_finds")).data as FindPage).finds;

test("FIND-01 a home's details have the prices and listings of all its codes, and its zone", async () => {
  const { sql } = product.database;
  await find(alice, [
    { id: "1", hoursAgo: 500, home: "1", goneHoursAgo: 200, price: 310_000 },
    {
      id: "2",
      hoursAgo: 100,
      home: "1",
      price: 290_000,
      former: 310_000,
      warnings: [{ kind: "no-photo" }, { kind: "auction", words: "subasta" }],
    },
  ]);
  await sql`update watch.portal_listings set photos = '["https://img.example/1.jpg", "javascript:1"]' where listing_id = '2'`;
  await sql`
    insert into watch.prices values ('1', now() - interval '500 hours', 310000), ('2', now() - interval '100 hours', 300000),
      ('2', now(), 290000)`;
  expect((await alice.client.rpc("my_find", { listing_id: "1" })).data).toMatchObject({
    zonePricesPerM2: [],
    zoneCount: 0,
  });
  await find(
    bob,
    Array.from({ length: 250 }, (_, n) => ({ id: `b${n}`, price: 300_000 + 600 * n })),
  );
  await refreshMarketFigures(sql, new Date());
  expect(
    (await alice.client.from("find_settings").insert({ hidden_warnings: ["no-photo"] })).error,
  ).toBeNull();
  const { data } = await alice.client.rpc("my_find", { listing_id: "1" });
  const details = data as FindDetails;
  expect(details).toMatchObject({
    listingId: "2",
    prices: [{ priceEur: 310_000 }, { priceEur: 300_000 }, { priceEur: 290_000 }],
    adverts: [
      { listingId: "1", goneAt: expect.any(String) },
      { listingId: "2", goneAt: null },
    ],
    photos: ["https://img.example/1.jpg"],
    warnings: [{ kind: "auction", words: "subasta" }],
    zoneCount: 251,
  });
  expect(details.zonePricesPerM2).toHaveLength(200);
  expect(details.zonePricesPerM2).toEqual(details.zonePricesPerM2.toSorted((a, b) => a - b));
});

test("FIND-01 marks and notes belong to the home and are undone together, and messages about it are queued for an edit", async () => {
  const { sql } = product.database;
  await find(alice, [
    { id: "1", hoursAgo: 9, home: "1" },
    { id: "2", hoursAgo: 1, home: "1" },
  ]);
  await find(bob, [{ id: "1", home: "1" }]);
  await sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, message_id, sent_at)
    select user_id, 7, 'new', '1', '{}', 'sent', 70, now() from unnest(array[${alice.id}, ${bob.id}]::uuid[]) as user_id`;
  const marks = () =>
    sql`select listing_id, mark, note from public.marks where user_id = ${alice.id} order by 1`;
  const call = async (name: string, values: object) =>
    expect((await alice.client.rpc(name, { listing_id: "2", ...values })).error).toBeNull();
  await call("mark_find", { mark: "kept" });
  expect(await marks()).toEqual([{ listing_id: "2", mark: "kept", note: null }]);
  expect(await sql`select user_id from watch.alerts where edit_due_at is not null`).toEqual([
    { user_id: alice.id },
  ]);
  await call("note_find", { note: " call\nMarta " });
  await call("mark_find", {});
  expect(await marks()).toEqual([{ listing_id: "2", mark: null, note: "call\nMarta" }]);
  expect((await findsOf(alice))[0]).toMatchObject({ mark: null, note: "call\nMarta" });
  await call("note_find", { note: " \n " });
  expect(await marks()).toEqual([]);
  expect((await findsOf(bob))[0]).toMatchObject({ mark: null, note: null });
});

test("FIND-06 a card has the travel times to the caller's own places, and nobody else's", async () => {
  const { sql } = product.database;
  await find(alice, [{ id: "1", hoursAgo: 1, card: { latitude: 40.41234, longitude: -3.69996 } }]);
  await find(bob, [{ id: "1", hoursAgo: 1 }]);
  const places = await sql<{ id: string }[]>`
    insert into public.own_places (user_id, name, latitude, longitude)
    values (${alice.id}, 'Work', 40.42, -3.7), (${bob.id}, 'Work', 40.42, -3.7) returning id`;
  for (const { id } of places) {
    await sql`
      insert into watch.travel_times (place_id, latitude, longitude, foot_minutes, bicycle_minutes)
      values (${id}, 40.4123, -3.7, 12, null), (${id}, 40.5, -3.7, 90, 30)`;
  }
  const [card] = await findsOf(alice);
  expect(card?.travelTimes).toEqual([{ placeId: places[0]?.id, footMinutes: 12, bicycleMinutes: null }]);
});

test("FIND-07 no function, filter or cursor reveals another person's finds, marks, notes, places or settings", async () => {
  const { sql } = product.database;
  await find(alice, [{ id: "1", card: { title: "alices own" } }]);
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

test("FIND-04 WEB-03 a place or search that is added again under its id stays one, and nobody takes another's id", async () => {
  const id = randomUUID();
  const place = { id, name: "Work", latitude: 40.4, longitude: -3.7 };
  const search = {
    ...{ id, user_id: alice.id, filter_url: "https://www.idealista.com/venta-viviendas/madrid-madrid/" },
    ...{ receiver_ids: ["501"] },
  };
  const add = ({ client }: Person, table: string, row: object) =>
    client.from(table).upsert(row, { ignoreDuplicates: true }).select("id");
  for (const [table, row] of [["own_places", place] as const, ["searches", search] as const]) {
    expect((await add(alice, table, row)).data).toEqual([{ id }]);
    expect(await add(alice, table, row)).toMatchObject({ data: [], error: null });
    const { data } = await add(bob, table, { ...row, ...("user_id" in row && { user_id: bob.id }) });
    expect(data ?? []).toEqual([]);
    const { data: rows } = await alice.client.from(table).select("id").eq("id", id);
    expect(rows).toEqual([{ id }]);
    expect((await bob.client.from(table).select("id").eq("id", id)).data).toEqual([]);
  }
});

test("FIND-04 WEB-03 the last place of three that is added again under its id is no fourth one", async () => {
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  const add = (id: string) =>
    alice.client
      .from("own_places")
      .upsert({ id, name: "Work", latitude: 40.4, longitude: -3.7 }, { ignoreDuplicates: true })
      .select("id");
  for (const id of ids) expect((await add(id)).data).toEqual([{ id }]);
  for (const id of ids) expect(await add(id)).toMatchObject({ data: [], error: null });
  expect((await add(randomUUID())).error?.code).toBe("PT409");
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
    { hidden_warnings: ["haunted"] },
    { hidden_warnings: [null] },
    {
      hidden_warnings: [
        ["auction", "no-photo"],
        ["auction", "no-photo"],
      ],
    },
    { hidden_warnings: Array(2_000).fill("auction") },
    { about: "x".repeat(301) },
    { who: " " },
  ];
  for (const values of refused) expect((await save(values)).error?.code).toBe("23514");
  expect((await save({ hidden_warnings: ["auction"], who: "Ana" })).error).toBeNull();
  expect((await save({ job: "Nurse" })).error).toBeNull();
  const { data } = await alice.client.from("find_settings").select("*").single();
  expect(data).toMatchObject({ hidden_warnings: ["auction"], job: "Nurse", who: "Ana" });
});
