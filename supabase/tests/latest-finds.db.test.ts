import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { homeLine } from "#text/home-words.ts";
import { wordsOf } from "#text/translator.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Row = {
  listing_id: string;
  former_listing_id: string | null;
  kind: string;
  state: string;
  home: Parameters<typeof homeLine>[0];
};

test("TRUE-05 a home is one row of the latest alerts, titled by its facts", async () => {
  const { sql } = database;
  const [user, search] = [randomUUID(), randomUUID()];
  await sql`insert into auth.users (id, email) values (${user}, 'ana@example.com')`;
  const listing = {
    title: "Piso en calle de Luna",
    kind: "homes",
    typology: "flat",
    address: "calle de Luna",
  };
  // The home has two listings, and two chats were notified of the first.
  await sql`
    insert into watch.portal_listings (listing_id, home_id, listing, card, price_eur, first_seen_at, last_seen_at)
    select code, 'a', '{}', ${sql.json(listing)}, 1250, now(), now() from unnest(array['a', 'b']) as code`;
  await sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, created_at, search_ids)
    select alerts.*, array[${search}::uuid] from (values
      (${user}::uuid, 1, 'new', 'a', ${sql.json({ listing })}::jsonb, 'undeliverable', now() - interval '2 hours'),
      (${user}, 2, 'new', 'a', ${sql.json({ listing })}, 'sent', now() - interval '2 hours'),
      (${user}, 2, 'new', 'b', ${sql.json({ listing, formerListingId: "a" })}, 'sent', now() - interval '1 hour'),
      (${user}, 1, 'new', 'c', ${sql.json({ listing: { title: "Casa" } })}, 'undeliverable', now()),
      (${user}, 2, 'new', 'c', ${sql.json({ listing: { title: "Casa" } })}, 'sent', now())
    ) as alerts`;
  const [{ rows }] = await sql<[{ rows: Row[] }]>`select watch.latest_alerts_of(${user}, ${search}) as rows`;
  expect(
    rows.map(({ home, ...row }) => [
      row.listing_id,
      row.kind,
      row.former_listing_id,
      row.state,
      homeLine(home, wordsOf("home", "de")),
    ]),
  ).toEqual([
    ["c", "new", null, "sent", "Casa"],
    ["b", "new", "a", "sent", "Wohnung, Calle de Luna"],
  ]);
  const lastTitle = async () => {
    const [row] = await sql`select watch.last_find_of(${user}, ${search}) as find`;
    return row && homeLine(row.find.home, wordsOf("home", "de"));
  };
  const found = (code: string) => sql`
    insert into public.listings (listing_id, user_id, created_at, details, search_ids)
    values (${code}, ${user}, clock_timestamp(), ${sql.json({ title: "Piso en calle de Luna", address: "calle de Luna" })}, array[${search}::uuid])`;
  await found("a");
  expect(await lastTitle()).toBe("Wohnung, Calle de Luna");
  // A row with only the specified fields has nothing but its title.
  await found("d");
  expect(await lastTitle()).toBe("Piso en calle de Luna");
});
