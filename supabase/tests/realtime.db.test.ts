import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;
let guest: SupabaseClient;

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob, guest } = await signUpCast(product));
});

afterAll(() => product.stop());

type Received = { listing_id: string; user_id: string };

/** Listens for new listings as the landing page does; resolves when the server has said yes, or why not. */
async function listen(client: SupabaseClient, filter?: string) {
  const received: Received[] = [];
  const binding = {
    event: "INSERT",
    schema: "public",
    table: "listings",
    ...(filter ? { filter } : {}),
  } as const;
  await client.realtime.setAuth();
  const status = await new Promise<string>((resolve) => {
    client
      .channel(`listings-${crypto.randomUUID()}`)
      .on("postgres_changes", binding, (payload) => received.push(payload.new as Received))
      .subscribe((state) => resolve(state));
  });
  return { received, status };
}

const insert = (listingId: string, person: Person) => product.database.sql`
  insert into public.listings (listing_id, user_id, details) values (${listingId}, ${person.id}, '{"title": "Flat"}')`;

test("DATA-04 a new listing reaches its owner and nobody else, whatever they asked for", async () => {
  const [hers, his, hisForHers, everyone] = await Promise.all([
    listen(alice.client, `user_id=eq.${alice.id}`),
    listen(bob.client, `user_id=eq.${bob.id}`),
    listen(bob.client, `user_id=eq.${alice.id}`),
    listen(guest),
  ]);
  await insert("1", alice);
  await insert("2", bob);
  await expect.poll(() => hers.received).toMatchObject([{ listing_id: "1", user_id: alice.id }]);
  await expect.poll(() => his.received).toMatchObject([{ listing_id: "2", user_id: bob.id }]);
  // Both inserts have been told to their owners by now, so what was to come has come.
  expect(hers.received).toHaveLength(1);
  expect(hisForHers.received).toEqual([]);
  expect(everyone.received).toEqual([]);
});

test("DATA-02 tables that are not published tell nobody anything", async () => {
  const events: unknown[] = [];
  for (const table of ["profiles", "demo_listings"]) {
    alice.client
      .channel(`quiet-${table}`)
      .on("postgres_changes", { event: "*", schema: "public", table }, (payload) => events.push(payload))
      .subscribe();
  }
  const { received } = await listen(alice.client);
  await product.database.sql`
    insert into public.demo_listings (demo_id, filter_id, details) values ('1', gen_random_uuid(), '{}')`;
  await product.database.sql`update public.profiles set full_name = 'Alicia' where id = ${alice.id}`;
  await insert("3", alice);
  await expect.poll(() => received).toMatchObject([{ listing_id: "3" }]);
  expect(events).toEqual([]);
});

test("DATA-02 a filter saved in one tab is told to the person's other tabs and to nobody else", async () => {
  const follow = async (client: SupabaseClient) => {
    const events: { eventType: string; new: { filter_url?: string } }[] = [];
    await client.realtime.setAuth();
    await new Promise((resolve) => {
      client
        .channel(`filters-${crypto.randomUUID()}`)
        .on(
          "postgres_changes",
          { event: "*", schema: "public", table: "filter_settings", filter: `user_id=eq.${alice.id}` },
          (payload) => events.push(payload as (typeof events)[number]),
        )
        .subscribe(resolve);
    });
    return events;
  };
  const [hers, his, everyone] = await Promise.all([follow(alice.client), follow(bob.client), follow(guest)]);
  const filter_url = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";
  await alice.client.from("filter_settings").insert({ user_id: alice.id, filter_url, receiver_ids: ["1"] });
  await alice.client
    .from("filter_settings")
    .update({ receiver_ids: ["2"] })
    .eq("user_id", alice.id);
  await expect.poll(() => hers.map(({ eventType }) => eventType)).toEqual(["INSERT", "UPDATE"]);
  expect(hers[1]?.new).toMatchObject({ filter_url, receiver_ids: ["2"] });
  expect([his, everyone]).toEqual([[], []]);
});

test("stopping the product does not wait for those who listen", async () => {
  const other = await startTestProduct();
  const client = other.createClient();
  const states: string[] = [];
  client
    .channel("open")
    .on("postgres_changes", { event: "INSERT", schema: "public", table: "listings" }, () => {})
    .subscribe((state) => states.push(state));
  await expect.poll(() => states).toContain("SUBSCRIBED");
  await other.stop();
  expect(await fetch(`${other.url}/livez`).catch(() => "gone")).toBe("gone");
});
