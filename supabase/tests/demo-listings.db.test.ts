import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let guest: Person["client"];
const FILTER = "00000000-0000-4000-8000-000000000001";

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, guest } = await signUpCast(product));
  await product.database.sql`
    insert into public.demo_listings (demo_id, filter_id, details) values ('1', ${FILTER}, '{"title": "Studio"}')`;
});

afterAll(() => product.stop());

test("DATA-02 guests and people read the demo listings, newest first", async () => {
  for (const client of [guest, alice.client]) {
    const { data, error } = await client
      .from("demo_listings")
      .select("demo_id, details")
      .eq("filter_id", FILTER)
      .order("created_at", { ascending: false })
      .limit(5);
    expect(error).toBeNull();
    expect(data).toEqual([{ demo_id: "1", details: { title: "Studio" } }]);
  }
});

test("DATA-02 nobody writes a demo listing", async () => {
  const row = { demo_id: "2", filter_id: FILTER, details: {} };
  for (const client of [guest, alice.client]) {
    const answers = await Promise.all([
      client.from("demo_listings").insert(row),
      client.from("demo_listings").update({ details: {} }).eq("demo_id", "1"),
      client.from("demo_listings").delete().eq("demo_id", "1"),
    ]);
    expect(answers.map(({ error }) => error?.code)).toEqual(Array(3).fill("42501"));
  }
  expect(await product.database.sql`select demo_id, details from public.demo_listings`).toEqual([
    { demo_id: "1", details: { title: "Studio" } },
  ]);
});
