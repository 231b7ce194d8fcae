import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { healthOf } from "#core/health/health-of.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { addPeople } from "#test/watching/world.ts";
import { wordsOf } from "#text/translator.ts";
import { intervalLabel } from "#text/watch-interval.ts";
import { watchStatesOf } from "./watch-state.ts";

let database: TestDatabase;
let sql: Sql;
let ana = "";
let other = "";

const firstStateOf = async (userId: string) => (await watchStatesOf(sql, userId))[0];

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
    insert into watch.compiled_searches (filter_id, user_id, filter_url, feed_key, baseline_at, has_reachable_chat)
    select id, user_id, filter_url, 'one', now(), true from public.filter_settings`;
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const rawState = async () =>
  (
    await sql`
  select watch.state_of_search(id) as state from public.searches where first_of = ${ana}`
  )[0]?.state;

let listing = 0;
const tell = (seconds: number, { ago = "1 hour", source = "official", userId = ana } = {}) => {
  listing += 1;
  return sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, created_at, source, seen_at, sent_at, search_ids)
    select ${userId}, 7, 'new', ${`${listing}`}, '{}', 'sent', at, ${source}, at, at + ${seconds} * interval '1 second',
      array(select id from public.searches where first_of = ${userId})
    from (values (now() - ${ago}::interval)) as moment (at)`;
};

test("MAIL-11 a person sees measurements from at least five of their own alerts of thirty days, and the latest source", async () => {
  expect(await rawState()).toMatchObject({ freshness: null, last_sent: null });
  for (const seconds of [1, 2, 3, 4]) await tell(seconds);
  await tell(900, { userId: other });
  await tell(900, { ago: "31 days" });
  expect(await rawState()).toMatchObject({ freshness: null, last_sent: { source: "official" } });
  await tell(5, { source: "mail", ago: "1 minute" });
  expect(await rawState()).toMatchObject({
    freshness: { alerts: 5, median_seconds: 3, p95_seconds: 4.8 },
    last_sent: { source: "mail", at: expect.any(String) },
  });
});

test("MAIL-09 the status shows a longer interval or spent requests, and mails take precedence over both", async () => {
  const told = async () => {
    const state = await firstStateOf(ana);
    if (!state) throw new Error("There is a filter");
    return [
      intervalLabel(state.interval, wordsOf("common", "en")),
      intervalLabel(state.interval, wordsOf("common", "es")),
    ];
  };
  expect(await told()).toEqual(["Every 3 days", "Cada 3\u00a0días"]);
  await sql`
    update watch.feeds set failing_since = now(), failure_reason = 'quota-spent', spent_until = '2099-12-01T00:00:00Z'`;
  expect(await told()).toEqual(["Again from 1 December", "A partir del 1 de diciembre"]);
  expect(await rawState()).toMatchObject({ failure_reason: "quota-spent" });
  await sql`
    insert into public.received_mails (user_id, received_at, outcome) values
      (${ana}, now() - interval '31 days', 'alert'), (${ana}, now(), 'not-signed'), (${other}, now(), 'alert')`;
  expect((await told())[0]).toBe("Again from 1 December");
  // A new month has begun, and the feed was not checked yet.
  await sql`update watch.feeds set spent_until = now() - interval '1 minute'`;
  expect(await told()).toEqual(["Every 3 days", "Cada 3\u00a0días"]);
  expect(await rawState()).toMatchObject({ failing_since: null, failure_reason: null, spent_until: null });
  await sql`insert into public.received_mails (user_id, outcome) values (${ana}, 'digest')`;
  expect(await told()).toEqual(["When Idealista emails you", "Cuando Idealista manda un correo"]);
});

test("COVER-06 a search without a check for three intervals, and at least fifteen minutes, is late", async () => {
  const stateWith = async (okBefore: string, intervalSeconds: number) => {
    await sql`
      update watch.feeds set idle_since = null, failing_since = null, failure_reason = null, spent_until = null,
        last_ok_at = now() - ${okBefore}::interval, interval_seconds = ${intervalSeconds},
        next_check_at = now() - ${okBefore}::interval + ${intervalSeconds} * interval '1 second'`;
    const facts = (await firstStateOf(ana))?.facts;
    return facts && healthOf(facts).state;
  };
  expect(await stateWith("29 minutes", 600)).toBe("watching");
  expect(await stateWith("31 minutes", 600)).toBe("late");
  expect(await stateWith("14 minutes", 60)).toBe("watching");
  expect(await stateWith("16 minutes", 60)).toBe("late");
  expect(await stateWith("5 days", 2 * 86_400)).toBe("watching");
  expect(await stateWith("7 days", 2 * 86_400)).toBe("late");
  await sql`update watch.feeds set failing_since = now(), failure_reason = 'unreachable'`;
  const facts = (await firstStateOf(ana))?.facts;
  expect(facts && healthOf(facts).state).toBe("failing");
});

test("MANY-01 each search of a person has its own status, the first one first", async () => {
  await sql`
    insert into public.searches (user_id, filter_url, receiver_ids, name, is_paused, created_at)
    select ${ana}, 'https://www.idealista.com/alquiler-viviendas/madrid-madrid/', receiver_ids, 'To rent', true,
      created_at - interval '1 day'
    from public.filter_settings where user_id = ${ana}`;
  const states = await watchStatesOf(sql, ana);
  expect(states).toMatchObject([
    { isFirst: true, name: null, isPaused: false, facts: { baseline_at: expect.any(String) } },
    { isFirst: false, name: "To rent", isPaused: true, facts: { baseline_at: null }, alerts: { found: 0 } },
  ]);
  expect(states[0]).toEqual(await firstStateOf(ana));
  expect(await watchStatesOf(sql, other)).toHaveLength(1);
});

test("TRUE-02 CALM-06 found = told + waiting + undelivered as in the outbox, and each home counts once for all alerts and chats", async () => {
  const [mixed] = await addPeople(sql, [{ url: "https://www.idealista.com/venta-viviendas/soria-soria/" }]);
  const { userId = "", filterId = "" } = mixed ?? {};
  const write = (
    listingId: string | null,
    states: readonly string[],
    { kind = "new", key = "", ago = "1 hour", ids = filterId } = {},
  ) =>
    Promise.all(
      states.map(
        (state, index) => sql`
          insert into watch.alerts (user_id, chat_id, kind, listing_id, event_key, payload, state, created_at, search_ids)
          values (${userId}, ${900 + index}, ${kind}, ${listingId}, ${key}, '{}', ${state}, now() - ${ago}::interval, array[${ids}::uuid])`,
      ),
    );
  await sql`
    insert into watch.portal_listings (listing_id, home_id, listing, card, price_eur, first_seen_at, last_seen_at)
    select id, 'home-4', '{}', '{}', 1, now(), now() from unnest(array['4', '4-again']) as id`;
  // Told: sent, in a digest, to one chat of three, under two codes; and once more for a price change.
  await write("1", ["sent"]);
  await write("2", ["merged"]);
  await write("3", ["undeliverable", "pending", "sent"]);
  await write("4", ["expired"]);
  await write("4-again", ["sent"]);
  await write("1", ["sent"], { kind: "price-drop", key: "90000" });
  await write("5", ["pending", "sending"]);
  await write("6", ["undeliverable", "pending"], { kind: "back", key: "a" });
  await write("7", ["undeliverable", "expired"]);
  await write("8", ["expired"], { kind: "gone" });
  // Alerts that are not about listings, from another day, or for another search do not count.
  for (const kind of ["watch-started", "source-down", "source-up", "question", "connected", "test"]) {
    await write(null, ["sent"], { kind });
  }
  await write("9", ["sent"], { ago: "25 hours" });
  await write("10", ["sent"], { ids: ana });
  const counts = (await firstStateOf(userId))?.alerts;
  expect(counts).toEqual({ found: 8, sent: 4, waiting: 2, undelivered: 2 });
  const [outbox] = await sql`
    select count(distinct left(listing_id, 1))::int as found,
      count(distinct left(listing_id, 1)) filter (where state in ('sent', 'merged'))::int as sent
    from watch.alerts
    where user_id = ${userId} and listing_id is not null and created_at > now() - interval '1 day'
      and ${filterId} = any (search_ids)`;
  expect(counts).toMatchObject({ ...outbox });
});

test("TRUE-01 each search counts its own chats; one that could not be asked is neither waiting nor lost", async () => {
  const url = "https://www.idealista.com/venta-viviendas/teruel-teruel/";
  const [person] = await addPeople(sql, [
    {
      url,
      otherUrls: ["https://www.idealista.com/alquiler-viviendas/teruel-teruel/"],
      chatIds: ["701", "702"],
    },
  ]);
  const { userId = "" } = person ?? {};
  const chats = async () => (await watchStatesOf(sql, userId)).map(({ facts }) => facts.chats);
  const both = { named: 2, connected: 2, waiting: 0, lost: 0, only_chat: null };
  expect(await chats()).toEqual([both, both]);
  await sql`update public.searches set receiver_ids = '{702}' where user_id = ${userId} and not is_first`;
  const set = (state: string, reason: string | null = null) =>
    sql`update public.chats set state = ${state}, reason = ${reason} where user_id = ${userId} and chat_id = 702`;
  const only = { named: 1, connected: 0, waiting: 0, lost: 0 };
  for (const [state, reason, expected] of [
    ["blocked", null, { lost: 1 }],
    ["declined", "stopped", { lost: 1 }],
    ["declined", "said-no", { lost: 1 }],
    ["unreachable", "kicked", { lost: 1 }],
    ["waiting", null, { waiting: 1 }],
    ["waiting", "not-found", {}],
  ] as const) {
    await set(state, reason);
    const [first, other] = await chats();
    expect(other).toEqual({ ...only, ...expected, only_chat: { state, reason } });
    expect(first).toMatchObject({ named: 2, connected: 1, only_chat: null });
  }
});

test("TRUE-01 a pause, a lost feed and another feed keep the time of the last check; a changed search has none", async () => {
  const lastOkAt = async () => (await firstStateOf(other))?.lastOkAt?.getTime();
  const checked = await lastOkAt();
  expect(checked).toBeTypeOf("number");
  // As planning writes a paused search.
  await sql`update watch.compiled_searches set feed_key = null, search_key = null, baseline_at = null, filter_url = filter_url
    where user_id = ${other}`;
  expect(await lastOkAt()).toBe(checked);
  await sql`insert into watch.feeds (key, source, query, interval_seconds, last_ok_at)
    values ('two', 'official', '{}', 600, now() + interval '1 hour')`;
  await sql`update watch.compiled_searches set feed_key = 'two' where user_id = ${other}`;
  expect(await lastOkAt()).toBe(checked);
  await sql`update watch.compiled_searches set baseline_at = now() where user_id = ${other}`;
  expect(await lastOkAt()).toBeGreaterThan(checked ?? 0);
  const url = "https://www.idealista.com/venta-viviendas/teruel-provincia/";
  await sql`update public.filter_settings set filter_url = ${url} where user_id = ${other}`;
  await sql`update watch.compiled_searches set filter_url = ${url}, feed_key = null, baseline_at = null where user_id = ${other}`;
  expect(await lastOkAt()).toBeUndefined();
});

test("TRUE-01 a search is muted while all its reachable chats are, until the first of them is unmuted", async () => {
  await sql`update public.filter_settings set receiver_ids = '{701,702,703}' where user_id = ${other}`;
  await sql`
    insert into public.chats (user_id, chat_id, state)
    values (${other}, 701, 'connected'), (${other}, 702, 'connected'), (${other}, 703, 'blocked')
    on conflict (user_id, chat_id) do update set state = excluded.state`;
  await sql`insert into watch.chats (chat_id) values (701), (702), (703) on conflict do nothing`;
  const told = async () => (await firstStateOf(other))?.facts.muted_until;
  const mute = (chat: number, until: string | null) =>
    sql`update watch.chats set muted_until = ${until}::text::timestamptz where chat_id = ${chat}`;
  expect(await told()).toBeNull();
  await mute(701, "infinity");
  expect(await told()).toBeNull();
  await mute(702, "2099-01-01T00:00:00Z");
  expect(Date.parse((await told()) ?? "")).toBe(Date.parse("2099-01-01T00:00:00Z"));
  await mute(702, "2020-01-01T00:00:00Z");
  expect(await told()).toBeNull();
  // In the other chat only this search is muted.
  await sql`
    insert into watch.search_chats (search_id, chat_id, muted_until)
    select id, 702, 'infinity' from public.filter_settings where user_id = ${other}`;
  expect(await told()).toBe("infinity");
  await sql`update public.chats set state = 'blocked' where user_id = ${other}`;
  expect(await told()).toBeNull();
});
