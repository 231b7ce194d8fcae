import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { forgetOld } from "#watcher/rows/watch-housekeeping.ts";
import { runAsPerson } from "../../person-transaction.ts";
import { type AuthEvent, createSecurityEvents } from "./security-events.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) Version/18.5 Mobile/15E148 Safari/604.1";
const ADDRESS = "203.0.113.77";

type Shown = { kind: string; browser: string | null; platform: string | null; times: number };

let database: TestDatabase;
let sql: Sql;
let person: string;
/** The triggers use the database's clock, so the tests start at the real time. */
let now: number;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = database.sql;
});

afterAll(() => database.drop());

beforeEach(async () => {
  now = Date.now();
  person = await addPerson();
});

async function addPerson(): Promise<string> {
  const id = randomUUID();
  await sql`insert into auth.users (id, email, encrypted_password) values (${id}, ${`${id}@example.com`}, 'hash')`;
  return id;
}

function record(kind: AuthEvent["kind"], userAgent: string | null = CHROME, db = sql): Promise<void> {
  const events = createSecurityEvents({ sql: db, secret: "a secret of this test", now: () => now });
  return events.record({ kind, userId: person, userAgent, address: ADDRESS });
}

async function shownTo(id: string): Promise<Shown[]> {
  const text = "select public.my_security_events() as events";
  const [row] = await runAsPerson(sql, { claims: { sub: id }, isReadOnly: true }, (ask) =>
    ask({ text, values: [], isPrepared: false }),
  );
  return row?.events as Shown[];
}

const linesOf = (events: Shown[]) =>
  events.map(({ kind, browser, platform, times }) => `${kind} ${browser} ${platform} ${times}`);
const lines = async () => linesOf(await shownTo(person));

const mails = () => sql<{ browser: string; platform: string; at: Date }[]>`
  select browser, platform, created_at as at from private.account_mails
  where user_id = ${person} and kind = 'new-browser' order by id`;
const proveAddress = () => sql`insert into private.proven_addresses (user_id) values (${person})`;

const addSession = async () => {
  const id = randomUUID();
  await sql`insert into auth.sessions (id, user_id, created_at) values (${id}, ${person}, ${new Date(now)})`;
  return id;
};

test("READ-07: a person sees their own events, newest first, with the kind of browser", async () => {
  await record("sign_up");
  now += 1_000;
  await record("sign_in", SAFARI);
  now += 1_000;
  await record("wrong_password", null);
  expect(await lines()).toEqual([
    "wrong_password other other 1",
    "sign_in Safari iPhone 1",
    "sign_up Chrome Windows 1",
  ]);
  expect(Object.keys((await shownTo(person))[0] ?? {}).toSorted()).toEqual([
    "began_at",
    "browser",
    "happened_at",
    "id",
    "kind",
    "platform",
    "times",
  ]);
  expect(await shownTo(await addPerson())).toEqual([]);
});

test("READ-07: neither the user agent nor the network address is stored", async () => {
  await record("sign_in", `${CHROME} Odd/1.0`);
  const rows = await sql`
    select events::text, known::text from private.security_events as events, private.known_browsers as known
    where events.user_id = ${person} and known.user_id = ${person}`;
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(/Mozilla|Odd|203\.0\.113/);
});

test("READ-07: repeats from one browser within an hour are one event with a count", async () => {
  await record("sign_in");
  now += HOUR - 1;
  await record("sign_in");
  await record("sign_in", FIREFOX);
  now += 1;
  await record("sign_in");
  expect((await lines()).toSorted()).toEqual([
    "sign_in Chrome Windows 1",
    "sign_in Chrome Windows 2",
    "sign_in Firefox Linux 1",
  ]);
});

test("READ-07: parallel wrong passwords are counted one by one", async () => {
  await Promise.all(Array.from({ length: 20 }, () => record("wrong_password")));
  expect(await lines()).toEqual(["wrong_password Chrome Windows 20"]);
});

test("READ-07: wrong passwords take at most ten rows a day, and the newest row counts the rest", async () => {
  const families = ["Edg", "OPR", "Firefox", "Chrome"];
  const agents = families.flatMap((name) => ["Windows", "Android", "Linux"].map((os) => `${os} ${name}/1`));
  for (const agent of agents) {
    await record("wrong_password", agent);
    now += 1;
  }
  expect(agents).toHaveLength(12);
  const shown = await lines();
  expect(shown).toHaveLength(10);
  expect(shown[0]).toBe("wrong_password null null 3");
  now += DAY;
  await record("wrong_password");
  expect((await lines())[0]).toBe("wrong_password Chrome Windows 1");
});

test("READ-07: wrong passwords never push other events off the list of fifty", async () => {
  await record("sign_in");
  await sql`
    insert into private.security_events (user_id, kind, began_at, happened_at)
    select ${person}, kind, now() + n * interval '1 minute', now() + n * interval '1 minute'
    from generate_series(1, 100) as n, unnest(array['wrong_password']) as kind`;
  expect(await lines()).toHaveLength(11);
  expect((await lines()).at(-1)).toBe("sign_in Chrome Windows 1");
  await sql`
    insert into private.security_events (user_id, kind, began_at, happened_at)
    select ${person}, 'export', now() - n * interval '1 minute', now() - n * interval '1 minute'
    from generate_series(1, 60) as n`;
  expect(await lines()).toHaveLength(50);
});

test("READ-07: a changed password is recorded by the database, and the auth service adds the browser", async () => {
  await sql`update auth.users set encrypted_password = 'another' where id = ${person}`;
  expect(await lines()).toEqual(["password_changed null null 1"]);
  await record("password_changed");
  await record("password_changed");
  expect(await lines()).toEqual(["password_changed Chrome Windows 1"]);
  await sql`update auth.users set encrypted_password = 'a third' where id = ${person}`;
  await record("password_reset", FIREFOX);
  expect((await lines()).toSorted()).toEqual([
    "password_changed Chrome Windows 1",
    "password_reset Firefox Linux 1",
  ]);
});

test("READ-07: ended sessions are counted once, whether or not the auth service names the browser", async () => {
  for (let session = 0; session < 3; session += 1) await addSession();
  await sql`delete from auth.sessions where user_id = ${person}`;
  expect(await lines()).toEqual(["session_ended null null 3"]);
  for (let session = 0; session < 3; session += 1) await record("session_ended");
  expect(await lines()).toEqual(["session_ended Chrome Windows 3"]);
});

test("READ-07: connecting and removing a chat are recorded, a blocked chat that returns is not", async () => {
  const setState = (state: string) => sql`update public.chats set state = ${state} where user_id = ${person}`;
  await sql`insert into public.chats (user_id, chat_id, state) values (${person}, 5, 'waiting')`;
  expect(await lines()).toEqual([]);
  for (const state of ["connected", "blocked", "connected"]) await setState(state);
  expect(await lines()).toEqual(["chat_connected null null 1"]);
  await setState("declined");
  await setState("connected");
  await sql`delete from public.chats where user_id = ${person}`;
  expect((await lines()).toSorted()).toEqual(["chat_connected null null 2", "chat_removed null null 2"]);
});

test("READ-07: a sign-in from a new browser is mailed once, with browser and time", async () => {
  await proveAddress();
  await record("sign_up");
  await record("sign_in");
  expect(await mails()).toEqual([]);
  await record("wrong_password", FIREFOX);
  await record("sign_in", FIREFOX);
  await record("sign_in", FIREFOX);
  expect(await mails()).toEqual([{ browser: "Firefox", platform: "Linux", at: new Date(now) }]);
});

test("READ-07: an unproven address gets no mail, one confirmed by Google does", async () => {
  await record("sign_in");
  expect(await mails()).toEqual([]);
  await sql`
    insert into auth.identities (id, provider_id, user_id, provider, identity_data)
    values (gen_random_uuid(), ${person}, ${person}, 'google', '{}')`;
  await sql`delete from private.proven_addresses where user_id = ${person}`;
  await record("sign_in", FIREFOX);
  expect(await mails()).toHaveLength(1);
});

test("READ-07: a person gets at most three of these mails a day, also from parallel sign-ins", async () => {
  await proveAddress();
  const agents = ["Edg", "OPR", "Firefox", "Chrome", "SamsungBrowser"].map((name) => `Android ${name}/1`);
  await Promise.all([...agents, ...agents].map((agent) => record("sign_in", agent)));
  expect(await mails()).toHaveLength(3);
  now += DAY + 1;
  await record("sign_in", SAFARI);
  expect(await mails()).toHaveLength(4);
});

test("READ-07: events are kept for 90 days, browsers for 180 days after their last use", async () => {
  await proveAddress();
  await record("sign_in");
  now += 89 * DAY;
  await forgetOld(sql, new Date(now));
  expect(await lines()).toHaveLength(1);
  now += 2 * DAY;
  await forgetOld(sql, new Date(now));
  expect(await lines()).toEqual([]);
  await record("sign_in");
  now += 179 * DAY;
  await forgetOld(sql, new Date(now));
  await record("sign_in");
  expect(await mails()).toHaveLength(1);
  now += 181 * DAY;
  await forgetOld(sql, new Date(now));
  await record("sign_in");
  expect(await mails()).toHaveLength(2);
});

test("READ-07: a browser is in use while its session lives, and was last used when the session was", async () => {
  await proveAddress();
  const sessionId = await addSession();
  const events = createSecurityEvents({ sql, secret: "a secret of this test", now: () => now });
  await events.record({ kind: "sign_in", userId: person, sessionId, userAgent: CHROME, address: ADDRESS });
  now += 181 * DAY;
  await forgetOld(sql, new Date(now));
  const refreshedAt = new Date(now).toISOString().replace("Z", "");
  await sql`update auth.sessions set refreshed_at = ${refreshedAt}::timestamp where id = ${sessionId}`;
  await sql`delete from auth.sessions where id = ${sessionId}`;
  now += 179 * DAY;
  await forgetOld(sql, new Date(now));
  await record("sign_in");
  expect(await mails()).toHaveLength(1);
});

test("READ-07: events are deleted with the account, and none is recorded for a deleted account", async () => {
  await addSession();
  await sql`insert into public.chats (user_id, chat_id, state) values (${person}, 6, 'connected')`;
  await record("sign_in");
  await sql`delete from auth.users where id = ${person}`;
  await record("sign_in");
  expect(await sql`select from private.security_events where user_id = ${person}`).toEqual([]);
  expect(await sql`select from private.known_browsers where user_id = ${person}`).toEqual([]);
});

test("READ-07: an event of an account that was deleted meanwhile is no error, and leaves nothing", async () => {
  const gone = randomUUID();
  await sql`select private.record_auth_event(${gone}, 'sign_in', 'Chrome', 'Windows', null, null, now())`;
  expect(await sql`select from private.security_events where user_id = ${gone}`).toEqual([]);
});

test("READ-07: recording an event requires the right to execute one function, and no right on a table", async () => {
  const role = `auth_${randomUUID().replaceAll("-", "")}`;
  await proveAddress();
  await sql.begin(async (tx) => {
    await tx`create role ${tx(role)}`;
    await tx`grant usage on schema private to ${tx(role)}`;
    await tx`
      grant execute on function private.record_auth_event(uuid, text, text, text, bytea, uuid, timestamptz)
      to ${tx(role)}`;
    await tx`set local role ${tx(role)}`;
    await record("sign_in", CHROME, tx as unknown as Sql);
    await tx`reset role`;
    await tx`drop owned by ${tx(role)}`;
    await tx`drop role ${tx(role)}`;
  });
  expect(await lines()).toEqual(["sign_in Chrome Windows 1"]);
  expect(await mails()).toHaveLength(1);
});
