import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callAs, openSession } from "#test/proven-address.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";

let database: TestDatabase;
let person: { userId: string; session: string };
/** The account that the Telegram user has. */
let other: string;
let telegramId = 9_000;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

beforeEach(async () => {
  telegramId += 10;
  const { sql } = database;
  const [{ userId }] = await sql<[{ userId: string }]>`
    insert into auth.users (email) values (${`p${telegramId}@example.com`}) returning id as "userId"`;
  person = { userId, session: await openSession(sql, userId) };
  const [entered] = await sql<[{ id: string }]>`
    select user_id as id from private.enter_by_telegram(${telegramId}, '{"full_name": "Ana"}')`;
  other = entered.id;
  await sql`select private.connect_own_chat(${other}, ${telegramId}, 'Ana')`;
});

/** As a sign-in with Google a moment ago. */
const prove = (session: string, minutesAgo = 0) => database.sql`
  insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at)
  values (${session}, 'oauth', now(), now() - make_interval(mins => ${minutesAgo}))`;
const allow = async () => {
  await prove(person.session);
  await callAs(database.sql, person, "allow_telegram_link");
};
const link = async (session = person.session, userId = person.userId, id = telegramId) => {
  const [row] = await database.sql<[{ outcome: string }]>`
    select private.link_telegram(${userId}, ${session}, ${id}, '{"sub": "1"}') as outcome`;
  return row.outcome;
};
const offer = async () => {
  await allow();
  expect(await link()).toBe("other-account");
};
const join = () => callAs(database.sql, person, "join_my_accounts");
const URL_OF = (zone: string) => `https://www.idealista.com/alquiler-viviendas/madrid/${zone}/`;
const addSearch = (
  userId: string,
  zone: string,
  chats: (number | string)[],
  isPaused = false,
) => database.sql`
  insert into public.searches (user_id, filter_url, receiver_ids, is_paused)
  values (${userId}, ${URL_OF(zone)}, ${chats.map(String)}, ${isPaused}) returning id`;
const resumeAs = (userId: string, zone: string) =>
  database.sql.begin(async (db) => {
    await db`select set_config('request.jwt.claim.sub', ${userId}, true)`;
    await db`set local role authenticated`;
    await db`update public.searches set is_paused = false where filter_url = ${URL_OF(zone)}`;
  });
const searchesOf = async (userId: string) =>
  (
    await database.sql`
      select filter_url as url, is_first, is_paused from public.searches where user_id = ${userId} order by created_at, id`
  ).map((row) => ({ ...row }));
const isThere = async (userId: string) =>
  (await database.sql`select from auth.users where id = ${userId}`).length === 1;

test("START-05 a session may link a Telegram user only after a proof, for ten minutes", async () => {
  const { sql } = database;
  await expect(callAs(sql, person, "allow_telegram_link")).rejects.toThrow(/again/);
  expect(await link(person.session, person.userId, telegramId + 1)).toBe("not-allowed");
  await prove(person.session, 11);
  await expect(callAs(sql, person, "allow_telegram_link")).rejects.toThrow(/again/);
  await sql`update auth.mfa_amr_claims set updated_at = now() where session_id = ${person.session}`;
  await callAs(sql, person, "allow_telegram_link");
  const elsewhere = await openSession(sql, person.userId);
  expect(await link(elsewhere, person.userId, telegramId + 1)).toBe("not-allowed");
  expect(await link(person.session, other, telegramId + 1)).toBe("not-allowed");
  await sql`update private.telegram_links set allowed_at = now() - interval '11 minutes'`;
  expect(await link(person.session, person.userId, telegramId + 1)).toBe("not-allowed");
  await callAs(sql, person, "allow_telegram_link");
  expect(await link(person.session, person.userId, telegramId + 1)).toBe("linked");
  const [user] =
    await sql`select raw_app_meta_data -> 'providers' as providers from auth.users where id = ${person.userId}`;
  expect(user?.providers).toEqual(["custom:telegram"]);
  // The permission is used up, and an account has one Telegram user.
  expect(await link(person.session, person.userId, telegramId + 2)).toBe("not-allowed");
  await callAs(sql, person, "allow_telegram_link");
  expect(await link(person.session, person.userId, telegramId + 2)).toBe("has-another");
});

test("START-05 without both proofs nothing is joined", async () => {
  const { sql } = database;
  expect(await callAs(sql, person, "my_join_offer")).toBeNull();
  await expect(join()).rejects.toThrow(/no account to join/);
  await allow();
  await expect(join()).rejects.toThrow(/no account to join/);
  expect(await link()).toBe("other-account");
  // Another session of the same person, and the other account, have no offer.
  const elsewhere = { ...person, session: await openSession(sql, person.userId) };
  expect(await callAs(sql, elsewhere, "my_join_offer")).toBeNull();
  await expect(callAs(sql, elsewhere, "join_my_accounts")).rejects.toThrow(/no account to join/);
  const mallory = { userId: other, session: await openSession(sql, other) };
  await expect(callAs(sql, mallory, "join_my_accounts")).rejects.toThrow(/no account to join/);
  for (const late of ["allowed_at", "offered_at"]) {
    await sql`update private.telegram_links set ${sql(late)} = now() - interval '11 minutes'`;
    await expect(join()).rejects.toThrow(/no account to join/);
    await sql`update private.telegram_links set ${sql(late)} = now()`;
  }
  expect(await isThere(other)).toBe(true);
});

test("START-05 everything moves in one transaction, and the other account is deleted", async () => {
  const { sql } = database;
  await addSearch(person.userId, "centro", [501]);
  const [moved] = await addSearch(other, "retiro", [telegramId, 501]);
  await openSession(sql, other);
  for (const [userId, note] of [
    [person.userId, "Call"],
    [other, "Call her"],
  ] as const) {
    await sql`insert into public.listings (listing_id, user_id, details) values ('1', ${userId}, '{}')`;
    await sql`insert into public.marks (user_id, listing_id, note) values (${userId}, '1', ${note})`;
  }
  await sql`insert into public.listings (listing_id, user_id, details, search_ids) values ('2', ${other}, '{}', ${[moved?.id]})`;
  // Listings 2 and 3 are the same home.
  await sql`
    insert into watch.portal_listings (listing_id, listing, price_eur, home_id, first_seen_at, last_seen_at)
    values ('2', '{}', 1, '2', now(), now()), ('3', '{}', 1, '2', now(), now())`;
  await sql`insert into public.listings (listing_id, user_id, details) values ('3', ${other}, '{}')`;
  await sql`insert into public.marks (user_id, listing_id, mark) values (${other}, '2', 'kept'), (${other}, '3', 'kept')`;
  await sql`insert into public.own_places (user_id, name, latitude, longitude) values (${other}, 'Work', 40.4, -3.7)`;
  await sql`insert into public.find_settings (user_id, who) values (${other}, 'A nurse')`;
  await sql`insert into public.mail_addresses (user_id, token) values (${other}, ${randomUUID().replaceAll("-", "")})`;
  await sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload)
    values (${other}, ${telegramId}, 'new', '2', '{}'), (${other}, 501, 'new', '1', '{}'),
      (${person.userId}, 501, 'new', '1', '{}')`;
  await offer();
  expect(await callAs(sql, person, "my_join_offer")).toEqual({
    full_name: "Ana",
    email: null,
    searches: 1,
    paused_searches: 0,
    chats: 2,
    marks: 2,
    ends_mail_address: false,
  });
  await join();

  expect(await isThere(other)).toBe(false);
  expect(await searchesOf(person.userId)).toEqual([
    { url: URL_OF("centro"), is_first: true, is_paused: false },
    { url: URL_OF("retiro"), is_first: false, is_paused: false },
  ]);
  const rows = async (query: Promise<Iterable<unknown>>) =>
    [...(await query)].map((row) => ({ ...(row as object) }));
  expect(
    await rows(
      sql`select chat_id::text as id, state from public.chats where user_id = ${person.userId} order by chat_id`,
    ),
  ).toEqual([
    { id: "501", state: "waiting" },
    { id: String(telegramId), state: "connected" },
  ]);
  expect(
    await rows(
      sql`select listing_id as id, mark, note from public.marks where user_id = ${person.userId} order by 1`,
    ),
  ).toEqual([
    { id: "1", mark: null, note: "Call\nCall her" },
    { id: "2", mark: "kept", note: null },
    { id: "3", mark: "kept", note: null },
  ]);
  expect(
    await rows(
      sql`select chat_id::text as chat, listing_id as id from watch.alerts where user_id = ${person.userId} and kind = 'new' order by 2`,
    ),
  ).toEqual([
    { chat: "501", id: "1" },
    { chat: String(telegramId), id: "2" },
  ]);
  const [counted] = await sql`
    select (select count(*)::int from public.listings where user_id = ${person.userId}) as listings,
      (select count(*)::int from public.own_places where user_id = ${person.userId}) as places,
      (select who from public.find_settings where user_id = ${person.userId}) as who,
      (select count(*)::int from public.mail_addresses where user_id = ${person.userId}) as addresses,
      (select count(*)::int from watch.deletion_notices where chat_id in (501, ${telegramId})) as notices,
      (select count(*)::int from auth.sessions where user_id = ${person.userId}) as sessions,
      (select user_id from watch.telegram_identities where telegram_id = ${telegramId}) as identity,
      (select array_agg(kind) from private.account_mails where user_id = ${person.userId} and kind = 'accounts-joined') as mails`;
  expect({ ...counted }).toEqual({
    listings: 3,
    places: 1,
    who: "A nurse",
    addresses: 1,
    notices: 0,
    sessions: 1,
    identity: person.userId,
    mails: ["accounts-joined"],
  });
  await expect(join()).rejects.toThrow(/no account to join/);
});

/** Tables of a person that are not moved: they concern signing in to the deleted account, or count its requests. */
const LEFT_BEHIND = [
  "auth.sessions",
  "private.known_addresses",
  "private.known_browsers",
  "private.proven_addresses",
  "private.telegram_links",
  "watch.away_mails",
  "watch.first_checks",
  "watch.mail_renewals",
  "watch.mailed_steps",
  "watch.routing_requests",
  "watch.search_previews",
  "watch.unreachable_people",
];

test("START-05 every table of a person is moved or known to be left behind", async () => {
  const { sql } = database;
  const tables = await sql<{ name: string }[]>`
    select distinct format('%s.%s', nspname, relname) as name
    from pg_constraint join pg_class on pg_class.oid = conrelid join pg_namespace on pg_namespace.oid = relnamespace
    where contype = 'f' and confrelid = 'auth.users'::regclass order by name`;
  const [{ body }] = await sql<[{ body: string }]>`
    select string_agg(prosrc, ' ') as body from pg_proc
    where proname in ('join_accounts', 'move_searches', 'move_chats', 'move_finds', 'move_mails')`;
  const isMoved = (table: string) => new RegExp(`(update|insert into) ${table} `).test(body);
  expect(tables.map(({ name }) => name).filter((name) => !isMoved(name))).toEqual(LEFT_BEHIND);
});

test("START-05 searches over the limit arrive paused, and joined searches can still be edited", async () => {
  const { sql } = database;
  for (const index of [1, 2, 3, 4, 5, 6, 7]) await addSearch(person.userId, `mine${index}`, [600 + index]);
  for (const index of [1, 2, 3, 4, 5]) await addSearch(other, `theirs${index}`, [700 + index], index === 1);
  await offer();
  expect(await callAs(sql, person, "my_join_offer")).toMatchObject({ searches: 5, paused_searches: 1 });
  await join();
  const searches = await searchesOf(person.userId);
  expect(searches).toHaveLength(12);
  expect(searches.filter(({ is_paused }) => is_paused).map(({ url }) => url)).toEqual([
    URL_OF("theirs1"),
    URL_OF("theirs5"),
  ]);
  // Ten run. A person who resumes another is refused; our processes leave it paused.
  await expect(resumeAs(person.userId, "theirs1")).rejects.toThrow(/Ten searches/);
  await sql`update public.searches set is_paused = false where user_id = ${person.userId}`;
  expect((await searchesOf(person.userId)).filter(({ is_paused }) => is_paused)).toHaveLength(2);
  await sql`update public.searches set is_paused = true where filter_url = ${URL_OF("mine1")} and user_id = ${person.userId}`;
  await resumeAs(person.userId, "theirs1");
  // Twelve chats: a change that adds none is saved, an eleventh further one is refused.
  await sql`update public.searches set name = 'Mine', receiver_ids = '{601}' where user_id = ${person.userId} and filter_url = ${URL_OF("mine2")}`;
  await expect(
    sql`update public.searches set receiver_ids = '{999}' where user_id = ${person.userId} and filter_url = ${URL_OF("mine2")}`,
  ).rejects.toThrow(/Ten chats/);
});

test("START-05 two presses at the same time join once, and a held or suspended account is not joined", async () => {
  const { sql } = database;
  await offer();
  await sql`update auth.users set banned_until = now() + interval '1 day' where id = ${other}`;
  await expect(join()).rejects.toThrow(/waits for a decision/);
  await sql`update auth.users set banned_until = null where id = ${other}`;
  const outcomes = await Promise.allSettled([join(), join(), join()]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await isThere(other)).toBe(false);
});
