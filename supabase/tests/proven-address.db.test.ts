// Checks every table with personal data before and after the first proof of the address. The tables come from the
// catalogue: a new one fails here until it has an entry in user-tables.ts.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { takeAccountMails } from "#server/account-mails/rows/account-mails.ts";
import { callAs, openSession, proveByGoogle, proveByMail } from "#test/proven-address.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { OTHER_URL, URL_OF_SEARCH, USER_TABLES } from "./user-tables.ts";

/** Created by the proof. */
const BY_THE_PROOF = ["private.held_setups", "private.proven_addresses"];

let database: TestDatabase;
let sql: Sql;
let person: string;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = database.sql;
});
afterAll(() => database.drop());
beforeEach(async () => {
  person = randomUUID();
  await sql`
    insert into auth.users (id, email, encrypted_password, raw_user_meta_data)
    values (${person}, ${`${person}@example.com`}, 'old', '{}')`;
});

/** Every table with a column that references a person, and that column. */
const userTables = async (): Promise<Map<string, string>> => {
  const rows = await sql<{ name: string; column: string }[]>`
    select distinct format('%s.%s', nspname, relname) as name, attname as column
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
    left join pg_constraint on conrelid = pg_class.oid and contype = 'f' and confrelid = 'auth.users'::regclass
      and attnum = any (conkey)
    where nspname in ('public', 'watch', 'private') and relkind = 'r' and not attisdropped
      and (pg_constraint.oid is not null or attname = 'user_id')
    order by 1`;
  return new Map(rows.map(({ name, column }) => [name, column]));
};

const rowsOf = async (id = person): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const [name, column] of await userTables()) {
    const [row] = await sql`select count(*)::int as count from ${sql(name)} where ${sql(column)} = ${id}`;
    counts[name] = row?.count;
  }
  return counts;
};

/** Everything that somebody can set up with an address that is not theirs. */
async function setUp(id = person): Promise<void> {
  for (const { fill } of Object.values(USER_TABLES)) await fill?.(sql, id);
  await sql`insert into private.account_mails (kind, user_id) values ('password-changed', ${id})`;
}

test("READ-10: every table with personal data declares what a proof of the address does to it", async () => {
  expect([...(await userTables()).keys()]).toEqual(Object.keys(USER_TABLES));
  await setUp();
  const empty = Object.entries(await rowsOf()).filter(
    ([name, count]) => count === 0 && !BY_THE_PROOF.includes(name),
  );
  expect(empty).toEqual([]);
});

test("READ-10 DOOR-06: after a proof by Google only harmless rows from before are left", async () => {
  await setUp();
  await openSession(sql, person);
  await proveByGoogle(sql, person);
  const counts = await rowsOf();
  const left = Object.keys(USER_TABLES).filter(
    (name) => USER_TABLES[name]?.google === "gone" && counts[name] !== 0,
  );
  expect(left).toEqual([]);
  expect(await sql`select from auth.sessions where user_id = ${person}`).toHaveLength(0);
  expect(await sql`select language from public.profiles where id = ${person}`).toEqual([{ language: null }]);
});

test("READ-10: after the first proof by mail everything from before is held, deleted or harmless", async () => {
  await setUp();
  const before = await rowsOf();
  await proveByMail(sql, person);
  const after = await rowsOf();
  for (const [name, { mail }] of Object.entries(USER_TABLES)) {
    if (mail === "held") expect([name, after[name]]).toEqual([name, before[name]]);
    if (mail === "gone") expect([name, after[name]]).toEqual([name, 0]);
  }
  expect(after["private.held_setups"]).toBe(1);
});

test("READ-10: each part of a setup alone is held, and an empty setup is not", async () => {
  const parts = ["searches", "find_settings", "mail_addresses", "marks", "own_places"];
  for (const part of parts) {
    const id = randomUUID();
    await sql`insert into auth.users (id, email) values (${id}, ${`${id}@example.com`})`;
    await USER_TABLES[`public.${part}`]?.fill?.(sql, id);
    await proveByMail(sql, id);
    expect([part, (await rowsOf(id))["private.held_setups"]]).toEqual([part, 1]);
  }
  await proveByMail(sql, person);
  expect((await rowsOf())["private.held_setups"]).toBe(0);
});

test("READ-10: an address proved before is not held again, and a password change without a mail proves nothing", async () => {
  const other = randomUUID();
  await sql`insert into auth.users (id, email) values (${other}, ${`${other}@example.com`})`;
  await setUp(other);
  await openSession(sql, other);
  await sql`update auth.users set encrypted_password = 'new' where id = ${other}`;
  await proveByMail(sql, person);
  await setUp();
  await proveByMail(sql, person);
  expect(await sql`select from private.held_setups where user_id in (${person}, ${other})`).toHaveLength(0);
});

test("READ-10: an address confirmed at sign-up is not held", async () => {
  await sql`update auth.users set confirmation_sent_at = now(), email_confirmed_at = null where id = ${person}`;
  await sql`update auth.users set email_confirmed_at = now() where id = ${person}`;
  await setUp();
  await proveByMail(sql, person);
  expect((await rowsOf())["private.held_setups"]).toBe(0);
});

test("READ-10: the mail about the reset mentions the held setup", async () => {
  await USER_TABLES["public.searches"]?.fill?.(sql, person);
  await proveByMail(sql, person);
  const mails = (await takeAccountMails(sql)).filter(({ email }) => email === `${person}@example.com`);
  expect(mails).toMatchObject([{ kind: "password-changed", isSetupHeld: true }]);
});

test("READ-10: sessions from before the proof end, and the one that proved the address remains", async () => {
  await openSession(sql, person);
  const session = await proveByMail(sql, person);
  expect(await sql`select id from auth.sessions where user_id = ${person}`).toEqual([{ id: session }]);
});

test("READ-10: the account sees what is held, and confirming it loses nothing", async () => {
  await setUp();
  const session = await proveByMail(sql, person);
  const before = await rowsOf();
  expect(await callAs(sql, { userId: person, session }, "my_held_setup")).toMatchObject({
    chats: [{ chat_id: "700" }],
    searches: [{ filter_url: URL_OF_SEARCH }, { filter_url: OTHER_URL }],
    places: ["Home"],
    has_mail_address: true,
  });
  await callAs(sql, { userId: person, session }, "confirm_my_setup");
  expect(await rowsOf()).toEqual({ ...before, "private.held_setups": 0 });
  expect(await callAs(sql, { userId: person, session }, "my_held_setup")).toBeNull();
});

test("READ-10: “Remove it all” removes the same as a proof by Google, and only while the setup is held", async () => {
  await setUp();
  const session = await proveByMail(sql, person);
  await callAs(sql, { userId: person, session }, "discard_my_setup");
  const counts = await rowsOf();
  expect(
    Object.keys(USER_TABLES).filter((name) => USER_TABLES[name]?.google === "gone" && counts[name] !== 0),
  ).toEqual([]);
  await USER_TABLES["public.searches"]?.fill?.(sql, person);
  await callAs(sql, { userId: person, session }, "discard_my_setup");
  expect((await rowsOf())["public.searches"]).toBe(2);
});

test("READ-10: the token of an ended session or of another person decides nothing", async () => {
  await setUp();
  const ended = await openSession(sql, person);
  await proveByMail(sql, person);
  const other = randomUUID();
  await sql`insert into auth.users (id, email) values (${other}, ${`${other}@example.com`})`;
  const theirs = await openSession(sql, other);
  for (const name of ["confirm_my_setup", "discard_my_setup"]) {
    for (const session of [ended, theirs]) {
      await expect(callAs(sql, { userId: person, session }, name)).rejects.toMatchObject({ code: "42501" });
    }
    await callAs(sql, { userId: other, session: theirs }, name);
  }
  expect(await rowsOf()).toMatchObject({ "private.held_setups": 1, "public.searches": 2 });
});
