import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";

const PASSWORD = "violet-harbour-27";
const ADDRESSES = Array.from({ length: 20 }, (_, index) => `203.0.113.${index + 1}`);

let world: TestAuth;
let people = 0;

beforeAll(async () => {
  world = await startTestAuth();
});

afterAll(() => world.stop());

type Answer = { access_token?: string; error_code?: string };

/** Sign-ins from several addresses at once. */
const signInsOf = (email: string, addresses: readonly string[]) =>
  addresses.map(
    async (address) => {
      const body = { email, password: PASSWORD };
      return (await (await world.send("token?grant_type=password", { body, address })).json()) as Answer;
    },
  );

/** A person who has signed in from all addresses before, so that sign-ins there are counted apart. */
async function signedUp() {
  people += 1;
  const email = `person-${people}@example.com`;
  const { client } = world.createClient();
  const { data, error } = await client.auth.signUp({ email, password: PASSWORD });
  expect(error).toBeNull();
  const id = data.user?.id ?? "";
  for (const start of [0, 10]) await Promise.all(signInsOf(email, ADDRESSES.slice(start, start + 10)));
  return { id, email, client };
}

type Act = (db: TransactionSql, person: { id: string; session: string }) => Promise<unknown>;

// The statements of the auth service in its transaction, so that the test decides when they commit.
const setPassword: Act = async (db, { id, session }) => {
  await db`select private.lock_person(${id}), set_config('sereno.kept_session', ${session}, true)`;
  await db`update auth.users set encrypted_password = 'another' where id = ${id}`;
};
const ACTS: [string, Act][] = [
  ["a change of the password", setPassword],
  [
    "a reset",
    async (db, person) => {
      await db`
        insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method)
        values (${person.session}, now(), now(), 'recovery')`;
      await setPassword(db, person);
    },
  ],
  [
    "the owner's proof by Google",
    async (db, { id }) => {
      await db`select private.lock_person(${id})`;
      await db`
        insert into auth.identities (provider_id, user_id, provider, identity_data)
        values (${randomUUID()}, ${id}, 'google', '{}')`;
    },
  ],
];

test.each(ACTS)("TIME-02 of twenty sign-ins in flight none survives %s", async (_, act) => {
  const { id, email, client } = await signedUp();
  const { data } = await client.auth.getUser();
  expect(data.user?.id).toBe(id);
  const { sql } = world.database;
  const [own] = await sql<[{ session: string }]>`
    select id as session from auth.sessions where user_id = ${id} order by created_at limit 1`;
  const waiting = async () => {
    const rows = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return rows.length;
  };
  const answers = await sql.begin(async (db) => {
    await act(db, { id, ...own });
    const inFlight = signInsOf(email, ADDRESSES);
    // They have compared the password with the hash of before, and wait to begin their sessions.
    await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(4);
    return { inFlight };
  });
  const ended = await Promise.all(answers.inFlight);
  expect(ended.map(({ error_code }) => error_code)).toEqual(ADDRESSES.map(() => "invalid_credentials"));
  const left = await sql`select from auth.sessions where user_id = ${id} and id <> ${own.session}`;
  expect(left).toHaveLength(0);
});
