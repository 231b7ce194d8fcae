import { afterAll, beforeAll, expect, test } from "vitest";
import type { FindPage } from "#core/finds/find.ts";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { addFinds } from "./added-finds.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;
const sql = () => product.database.sql;

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob } = await signUpCast(product));
});

afterAll(() => product.stop());

const findsOf = async ({ client }: Person) => (await client.rpc("my_finds")).data as FindPage;
const homesIn = (table: string) =>
  sql()`select listing_id, home_id from ${sql()(table)} where user_id = ${alice.id} order by listing_id`;

test("ONE-03 every find, mark and alert names its home, whoever writes the row", async () => {
  await addFinds(product, alice, [
    { id: "1", hoursAgo: 9, home: "1" },
    { id: "2", hoursAgo: 1, home: "1" },
  ]);
  await sql()`
    insert into public.listings (user_id, listing_id, details) values (${alice.id}, 'by-hand', '{"title": "Piso"}')`;
  await sql()`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload)
    values (${alice.id}, 7, 'new', '2', '{}'), (${alice.id}, 7, 'new', 'unseen', '{}'), (${alice.id}, 7, 'test', null, '{}')`;
  await sql()`insert into public.marks (user_id, listing_id, mark) values (${alice.id}, '2', 'kept')`;
  expect(await homesIn("public.listings")).toEqual([
    { listing_id: "1", home_id: "1" },
    { listing_id: "2", home_id: "1" },
    { listing_id: "by-hand", home_id: "by-hand" },
  ]);
  expect(await homesIn("watch.alerts")).toEqual([
    { listing_id: "2", home_id: "1" },
    { listing_id: "unseen", home_id: "unseen" },
    { listing_id: null, home_id: null },
  ]);
  expect(await homesIn("public.marks")).toEqual([{ listing_id: "2", home_id: "1" }]);
  const { finds, count } = await findsOf(alice);
  expect(count).toBe(2);
  expect(finds.map(({ homeId, mark }) => [homeId, mark])).toEqual(
    expect.arrayContaining([
      ["1", "kept"],
      ["by-hand", null],
    ]),
  );
});

test("ONE-03 a listing known from a mail joins the home that a feed finds it to be, with its mark and note", async () => {
  await sql()`truncate public.listings, public.marks, watch.alerts, watch.portal_listings cascade`;
  await addFinds(product, alice, [
    { id: "10", hoursAgo: 9 },
    { id: "20", hoursAgo: 1 },
  ]);
  await addFinds(product, bob, [{ id: "20", hoursAgo: 1 }]);
  const call = async ({ client }: Person, name: string, values: object) =>
    expect((await client.rpc(name, values)).error).toBeNull();
  await call(alice, "note_find", { listing_id: "10", note: "with a terrace" });
  await call(alice, "note_find", { listing_id: "20", note: "call on Monday" });
  await call(alice, "mark_find", { listing_id: "20", mark: "kept" });
  await call(bob, "mark_find", { listing_id: "20", mark: "hidden" });
  await sql()`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload) values (${alice.id}, 7, 'new', '20', '{}')`;
  expect(await findsOf(alice)).toMatchObject({ count: 2 });
  await sql()`update watch.portal_listings set home_id = '10' where listing_id = '20'`;
  for (const _ of ["once", "again"]) {
    await sql()`select watch.settle_homes(array['10', '20'])`;
    const { finds, count } = await findsOf(alice);
    expect(count).toBe(1);
    expect(finds).toMatchObject([
      { homeId: "10", listingId: "20", advertCount: 2, mark: "kept", note: "with a terrace\ncall on Monday" },
    ]);
  }
  expect(await homesIn("watch.alerts")).toEqual([{ listing_id: "20", home_id: "10" }]);
  expect(await findsOf(bob)).toMatchObject({ count: 0 });
  const { data } = await bob.client.rpc("my_finds", { filter: { state: "hidden" } });
  expect((data as FindPage).finds).toMatchObject([{ homeId: "10", mark: "hidden" }]);
});
