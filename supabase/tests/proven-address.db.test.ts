// Checks every table with personal data before and after the first proof of the address by a reset link or by Google. The
// tables come from the catalogue: a new one fails here until it has an entry in user-tables.ts.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { takeAccountMails } from "#server/account-mails/rows/account-mails.ts";
import { openSession, proveByGoogle, proveByMail } from "#test/proven-address.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { USER_TABLES } from "./user-tables.ts";

/** Created by the proof. */
const BY_THE_PROOF = ["private.proven_addresses"];
const PROOFS = [
  ["a reset link", proveByMail],
  ["Google", proveByGoogle],
] as const;

let database: TestDatabase;
let sql: Sql;
let person: string;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = database.sql;
});
afterAll(() => database.drop());
beforeEach(async () => {
  person = await addAccount();
});

async function addAccount(): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into auth.users (id, email, encrypted_password, raw_user_meta_data)
    values (${id}, ${`${id}@example.com`}, 'old', '{}')`;
  await sql`
    insert into auth.identities (provider_id, user_id, provider, identity_data) values (${id}, ${id}, 'email', '{}')`;
  return id;
}

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
  await sql`update public.chats set state = 'connected', confirmed_at = now(), title = 'Mallory' where user_id = ${id}`;
  // A connected chat has deleted it.
  await USER_TABLES["watch.unreachable_people"]?.fill?.(sql, id);
  await sql`insert into private.account_mails (kind, user_id) values ('password-changed', ${id})`;
}

const mailsTo = async (id: string) =>
  (await takeAccountMails(sql)).flatMap(({ email, kind }) => (email === `${id}@example.com` ? [kind] : []));

test("READ-10: every table with personal data declares what a proof of the address does to it", async () => {
  expect([...(await userTables()).keys()]).toEqual(Object.keys(USER_TABLES));
  await setUp();
  const empty = Object.entries(await rowsOf()).filter(
    ([name, count]) => count === 0 && !BY_THE_PROOF.includes(name),
  );
  expect(empty).toEqual([]);
});

test.each(PROOFS)(
  "READ-10 DOOR-06 TIME-01: after the first proof by %s what could act or hear is gone, and everything else is there",
  async (_how, prove) => {
    await setUp();
    await openSession(sql, person);
    const before = await rowsOf();
    const kept = await prove(sql, person);
    const after = await rowsOf();
    for (const [name, { proof }] of Object.entries(USER_TABLES)) {
      if (proof === "gone") expect([name, after[name]]).toEqual([name, 0]);
      else if (!BY_THE_PROOF.includes(name))
        expect([name, Number(after[name]) >= Number(before[name])]).toEqual([name, true]);
    }
    const sessions = await sql`select id from auth.sessions where user_id = ${person}`;
    expect(sessions.map(({ id }) => id)).toEqual(kept === undefined ? [] : [kept]);
    expect(
      await sql`select distinct state, reason, confirmed_at, title from public.chats where user_id = ${person}`,
    ).toEqual([{ state: "declined", reason: "ended", confirmed_at: null, title: null }]);
    expect(
      await sql`select distinct state from watch.alerts where user_id = ${person} and kind <> 'account-notice'`,
    ).toEqual([{ state: "undeliverable" }]);
  },
);

test.each(PROOFS)(
  "READ-10: at the first proof by %s each connected chat and the owner are told, in their languages",
  async (_how, prove) => {
    await setUp();
    await sql`insert into watch.chats (chat_id, language) values (700, 'fr') on conflict (chat_id) do update set language = 'fr'`;
    await sql`update public.profiles set language = 'de' where id = ${person}`;
    await sql`delete from watch.alerts where user_id is null`;
    await prove(sql, person);
    expect(
      await sql`select chat_id::int as chat, language, kind from watch.alerts where user_id is null`,
    ).toEqual([{ chat: 700, language: "fr", kind: "access-ended" }]);
    expect(await mailsTo(person)).toContain("access-ended");
  },
);

test("READ-10: an account that only describes something is told nothing, and its password ends with a proof by Google alone", async () => {
  for (const [how, prove] of PROOFS) {
    const id = await addAccount();
    await USER_TABLES["public.own_places"]?.fill?.(sql, id);
    await prove(sql, id);
    const [user] = await sql`select encrypted_password as password from auth.users where id = ${id}`;
    expect([how, (await mailsTo(id)).includes("access-ended")]).toEqual([how, how === "Google"]);
    expect(user?.password === null).toBe(how === "Google");
  }
});

test.each(PROOFS)("READ-10: an address proved before loses nothing at a proof by %s", async (_how, prove) => {
  await sql`insert into private.proven_addresses (user_id) values (${person})`;
  await setUp();
  await prove(sql, person);
  const [chat] = await sql`select state from public.chats where user_id = ${person}`;
  expect(chat).toEqual({ state: "connected" });
  expect(await rowsOf()).toMatchObject({ "public.mail_addresses": 1, "public.searches": 2 });
});

test("READ-10: a password change without a mail proves nothing", async () => {
  await setUp();
  await openSession(sql, person);
  await sql`update auth.users set encrypted_password = 'new' where id = ${person}`;
  expect(await rowsOf()).toMatchObject({ "private.proven_addresses": 0, "public.mail_addresses": 1 });
});

test("READ-10: an address confirmed at sign-up, as on hosted Supabase, is proved and ends nothing", async () => {
  await sql`update auth.users set confirmation_sent_at = now(), email_confirmed_at = null where id = ${person}`;
  await setUp();
  await sql`update auth.users set email_confirmed_at = now() where id = ${person}`;
  expect(await rowsOf()).toMatchObject({ "private.proven_addresses": 1, "public.mail_addresses": 1 });
  await proveByMail(sql, person);
  expect((await rowsOf())["public.mail_addresses"]).toBe(1);
});

test("READ-10: sessions from before the proof end, and the one that proved the address remains", async () => {
  await openSession(sql, person);
  const session = await proveByMail(sql, person);
  expect(await sql`select id from auth.sessions where user_id = ${person}`).toEqual([{ id: session }]);
});
