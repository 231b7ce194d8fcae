import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;
let guest: Person["client"];

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob, guest } = await signUpCast(product));
  await product.database.sql`
    insert into public.listings (listing_id, user_id, details) values
      ('100000001', ${alice.id}, '{"title": "Flat of Alice"}'),
      ('100000001', ${bob.id}, '{"title": "Flat of Bob"}')`;
});

afterAll(() => product.stop());

const stored = () => product.database.sql`select * from public.listings order by user_id`;

test("DATA-02 a person reads only their own listings", async () => {
  const { data } = await alice.client.from("listings").select("listing_id, user_id, details");
  expect(data).toEqual([{ listing_id: "100000001", user_id: alice.id, details: { title: "Flat of Alice" } }]);
  expect((await bob.client.from("listings").select("*").eq("user_id", alice.id)).data).toEqual([]);
});

test("a time is written so that every browser can read it", async () => {
  const { data } = await alice.client.from("listings").select("created_at").single();
  expect(data?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
});

test("DATA-02 nobody but the watcher writes a listing, not even their own", async () => {
  const before = await stored();
  const row = { listing_id: "200000002", user_id: alice.id, details: {} };
  for (const client of [alice.client, bob.client, guest]) {
    const answers = await Promise.all([
      client.from("listings").insert(row),
      client.from("listings").upsert(row),
      client.from("listings").update({ details: {} }).eq("user_id", alice.id),
      client.from("listings").delete().eq("user_id", alice.id),
    ]);
    expect(answers.map(({ error }) => error?.code)).toEqual(Array(4).fill("42501"));
  }
  expect(await stored()).toEqual(before);
});

test("DATA-02 a guest reads no listing", async () => {
  expect((await guest.from("listings").select("*")).error?.code).toBe("42501");
});

test("DATA-01 a listing is there once a person, and its details are an object of bounded size", async () => {
  const insert = (listingId: string, details: string) => product.database.sql`
    insert into public.listings (listing_id, user_id, details) values (${listingId}, ${alice.id}, ${details}::text::jsonb)`;
  await expect(insert("100000001", "{}")).rejects.toThrow("duplicate key");
  await expect(insert("3", "[]")).rejects.toThrow("listings_details_check");
  const noise = Array.from({ length: 20_000 }, () => Math.random()).join("");
  await expect(insert("4", JSON.stringify({ noise }))).rejects.toThrow("listings_details_check");
});
