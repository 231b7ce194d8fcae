import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { addPeople } from "#test/watching/world.ts";
import { intervalLabel } from "#text/watch-interval.ts";
import { openDatabase } from "../connection/open-database.ts";
import { watchStateOf, watchStatesOf } from "./watch-state.ts";

let database: TestDatabase;
let sql: Sql;
let ana = "";
let other = "";

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 2 });
  const url = "https://www.idealista.com/venta-viviendas/madrid-madrid/";
  const people = await addPeople(sql, [{ url }, { url }]);
  [ana = "", other = ""] = people.map(({ userId }) => userId);
  await sql`
    insert into watch.feeds (key, source, query, interval_seconds, last_ok_at, next_check_at)
    values ('one', 'official', '{}', 259200, now(), now())`;
  await sql`
    insert into watch.searches (filter_id, user_id, filter_url, feed_key, begun_at, can_tell)
    select id, user_id, filter_url, 'one', now(), true from public.filter_settings`;
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const rawState = async () => (await sql`select watch.state_of(${ana}) as state`)[0]?.state;

let listing = 0;
const tell = (seconds: number, { ago = "1 hour", source = "official", userId = ana } = {}) => {
  listing += 1;
  return sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, created_at, source, seen_at, sent_at)
    select ${userId}, 7, 'new', ${`${listing}`}, '{}', 'sent', at, ${source}, at, at + ${seconds} * interval '1 second'
    from (values (now() - ${ago}::interval)) as moment (at)`;
};

test("MAIL-11 a person sees what was measured on five alerts of their own or more, of thirty days, and who told last", async () => {
  expect(await rawState()).toMatchObject({ freshness: null, last_told: null });
  await sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, sent_at)
    values (${ana}, 7, 'new', 'of before', '{}', 'sent', now())`;
  for (const seconds of [1, 2, 3, 4]) await tell(seconds);
  await tell(900, { userId: other });
  await tell(900, { ago: "31 days" });
  expect(await rawState()).toMatchObject({ freshness: null, last_told: { source: "official" } });
  await tell(5, { source: "mail", ago: "1 minute" });
  expect(await rawState()).toMatchObject({
    freshness: { alerts: 5, median_seconds: 3, p95_seconds: 4.8 },
    last_told: { source: "mail", at: expect.any(String) },
  });
});

test("MAIL-09 the state tells a longer interval, spent requests, and mails before either", async () => {
  const told = async () => {
    const state = await watchStateOf(sql, ana);
    if (!state) throw new Error("There is a filter");
    return [intervalLabel(state.interval, "en"), intervalLabel(state.interval, "es")];
  };
  expect(await told()).toEqual(["Every 3 days", "Cada 3 días"]);
  await sql`
    update watch.feeds set failing_since = now(), failure_reason = 'quota-spent', spent_until = '2099-12-01T00:00:00Z'`;
  expect(await told()).toEqual(["Again from 1 December", "De nuevo desde el 1 de diciembre"]);
  expect(await rawState()).toMatchObject({ failure_reason: "quota-spent" });
  await sql`
    insert into public.received_mails (user_id, received_at, outcome) values
      (${ana}, now() - interval '31 days', 'alert'), (${ana}, now(), 'not-signed'), (${other}, now(), 'alert')`;
  expect((await told())[0]).toBe("Again from 1 December");
  // The month has turned, and the feed was not checked yet.
  await sql`update watch.feeds set spent_until = now() - interval '1 minute'`;
  expect(await told()).toEqual(["Every 3 days", "Cada 3 días"]);
  expect(await rawState()).toMatchObject({ failing_since: null, failure_reason: null, spent_until: null });
  await sql`insert into public.received_mails (user_id, outcome) values (${ana}, 'digest')`;
  expect(await told()).toEqual(["As Idealista sends it", "En cuanto Idealista lo envía"]);
});

test("MANY-01 each search of a person has a state of its own, the first one first", async () => {
  await sql`
    insert into public.other_searches (user_id, filter_url, receiver_ids, name, is_paused, created_at)
    select ${ana}, 'https://www.idealista.com/alquiler-viviendas/madrid-madrid/', receiver_ids, 'To rent', true,
      created_at - interval '1 day'
    from public.filter_settings where user_id = ${ana}`;
  const states = await watchStatesOf(sql, ana);
  expect(states).toMatchObject([
    { isFirst: true, name: null, isPaused: false, hasBegun: true },
    { isFirst: false, name: "To rent", isPaused: true, hasBegun: false, alertsWaiting: 0, foundLastDay: 0 },
  ]);
  expect(states[0]).toEqual(await watchStateOf(sql, ana));
  expect(await watchStatesOf(sql, other)).toHaveLength(1);
});
