import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "#test/postgres/migrated-postgres.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { AUTH_LOGIN, embeddedUrls, PEOPLE_LOGIN } from "./login-roles.ts";
import { runAsPerson } from "./person-transaction.ts";
import { findLoginFaults } from "./postgres/check-logins.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

const peopleLogin = (url: string) => ({
  setting: "PEOPLE_DATABASE_URL" as const,
  url,
  memberOf: ["anon", "authenticated"],
});

test("READ-03: the login for people's requests owns nothing and is a member of anon and authenticated only", async () => {
  const { people, auth } = embeddedUrls(database.url);
  expect(await findLoginFaults(peopleLogin(people), database.url)).toEqual([]);
  expect(
    await findLoginFaults({ setting: "AUTH_DATABASE_URL", url: auth, memberOf: [] }, database.url),
  ).toEqual([]);
});

test("READ-03: the people's login can read and call nothing until a request sets its role", async () => {
  const rights = await database.sql`
    select oid::regclass::text as part from pg_class
    where relnamespace in (select oid from pg_namespace where nspname in ('public', 'auth', 'private', 'watch', 'realtime', 'pgboss'))
      and relkind in ('r', 'v', 'p') and (
        has_table_privilege(${PEOPLE_LOGIN}, oid, 'select, insert, update, delete, truncate, references, trigger')
        or has_any_column_privilege(${PEOPLE_LOGIN}, oid, 'select, insert, update, references'))
    union all
    select pg_proc.oid::regprocedure::text from pg_proc
    where pronamespace in (select oid from pg_namespace where nspname in ('public', 'private', 'watch', 'pgboss'))
      and has_function_privilege(${PEOPLE_LOGIN}, pg_proc.oid, 'execute')
      and has_schema_privilege(${PEOPLE_LOGIN}, pronamespace, 'usage')`;
  expect(rights).toEqual([]);
});

test("READ-03: changing roles inside a request gains nothing", async () => {
  const sql = postgres(embeddedUrls(database.url).people, { max: 1, onnotice: () => {} });
  const ask = (text: string) =>
    runAsPerson(sql, { claims: undefined, isReadOnly: false }, (send) =>
      send({ text, values: [], isPrepared: false }),
    );
  expect(await ask("select current_user::text as now, session_user::text as login")).toEqual([
    { now: "anon", login: PEOPLE_LOGIN },
  ]);
  for (const role of ["postgres", "service_role", AUTH_LOGIN]) {
    await expect(ask(`select set_config('role', '${role}', true)`)).rejects.toThrow("permission denied");
    await expect(ask(`set local session authorization ${role}`)).rejects.toThrow("permission denied");
  }
  // Back to the login role, which has no rights.
  await expect(ask("with x as (select set_config('role', 'none', true)) select from x")).resolves.toEqual([
    {},
  ]);
  await expect(
    runAsPerson(sql, { claims: undefined, isReadOnly: false }, async (send) => {
      await send({ text: "reset role", values: [], isPrepared: false });
      return send({ text: "select from public.profiles", values: [], isPrepared: false });
    }),
  ).rejects.toThrow("permission denied");
  await sql.end();
});

test("READ-03: no function that people can call sets a configuration value or executes text as SQL", async () => {
  const suspicious = await database.sql`
    select pg_proc.oid::regprocedure::text as name from pg_proc
    where pronamespace = 'public'::regnamespace and prokind = 'f'
      and (has_function_privilege('anon', pg_proc.oid, 'execute') or has_function_privilege('authenticated', pg_proc.oid, 'execute'))
      and prosrc ~* '\\mset_config\\M|\\mexecute\\M|\\mset\\s+(local\\s+)?(role|session)\\M'`;
  expect(suspicious).toEqual([]);
});

test("READ-03: a login with more rights than it needs is refused in one sentence", async () => {
  const name = `login_${randomUUID().replaceAll("-", "")}`;
  const server = inject("serverUrl");
  const url = new URL(database.url);
  const faultsOf = async (user: string, password: string) => {
    [url.username, url.password] = [user, password];
    return findLoginFaults(peopleLogin(url.href), database.url);
  };
  expect(await faultsOf("postgres", "test")).toEqual([
    expect.stringMatching(/^PEOPLE_DATABASE_URL logs in as postgres, which is a superuser, .*owns /),
    expect.stringMatching(/not a member of anon, authenticated/),
  ]);
  await run(server, `create role ${name} login bypassrls password 'secret'`);
  await run(server, `grant anon, authenticated, service_role to ${name}`);
  await run(
    database.url,
    `create table public.owned_by_login (); alter table public.owned_by_login owner to ${name}`,
  );
  expect(await faultsOf(name, "secret")).toEqual([
    `PEOPLE_DATABASE_URL logs in as ${name}, which bypasses row-level security, inherits the rights of its roles, owns owned_by_login, is a member of service_role: use the login that supabase/prepare-database.sql creates for it.`,
  ]);
  expect(await faultsOf(name, "wrong")).toEqual([
    expect.stringMatching(/refuses the user or the password; see PEOPLE_DATABASE_URL\.$/),
  ]);
  url.pathname = "/postgres";
  expect(await faultsOf(name, "secret")).toEqual([
    "PEOPLE_DATABASE_URL leads to another database than DATABASE_URL.",
  ]);
  await run(database.url, `drop owned by ${name}`);
  await run(server, `drop role ${name}`);
});
