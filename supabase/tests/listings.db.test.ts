import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob } = await signUpCast(product));
  await product.database.sql`
    insert into public.listings (listing_id, user_id, details) values
      ('100000001', ${alice.id}, '{"title": "Flat of Alice"}'),
      ('100000001', ${bob.id}, '{"title": "Flat of Bob"}')`;
});

afterAll(() => product.stop());

test("times have a format that every browser can parse", async () => {
  const { data } = await alice.client.from("listings").select("created_at").single();
  expect(data?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
});

test("DATA-01 a listing exists once per person, and its details are an object of limited size", async () => {
  const insert = (listingId: string, details: string) => product.database.sql`
    insert into public.listings (listing_id, user_id, details) values (${listingId}, ${alice.id}, ${details}::text::jsonb)`;
  await expect(insert("100000001", "{}")).rejects.toThrow("duplicate key");
  await expect(insert("3", "[]")).rejects.toThrow("listings_details_check");
  const noise = Array.from({ length: 20_000 }, () => Math.random()).join("");
  await expect(insert("4", JSON.stringify({ noise }))).rejects.toThrow("listings_details_check");
});
