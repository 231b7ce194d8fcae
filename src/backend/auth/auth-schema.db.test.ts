import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "#test/postgres/migrated-postgres.ts";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";
import { AUTH_LOGIN } from "../login-roles.ts";
import { AUTH_GRANTS, createAuthSchema } from "./auth-schema.ts";

let world: TestAuth;

beforeAll(async () => {
  world = await startTestAuth();
});

afterAll(() => world.stop());

test("READ-03 the auth service's role has exactly the listed rights on tables and owns nothing", async () => {
  const { sql } = world.database;
  const rights = await sql<{ table: string; verbs: string[] }[]>`
    select format('%I.%I', table_schema, table_name) as table, array_agg(lower(privilege_type::text)) as verbs
    from information_schema.table_privileges where grantee = ${AUTH_LOGIN} group by 1`;
  const sorted = (list: readonly { table: string; verbs: readonly string[] }[]) =>
    list.map(({ table, verbs }) => `${table}: ${verbs.toSorted().join(", ")}`).toSorted();
  expect(sorted(rights)).toEqual(sorted(AUTH_GRANTS));
  const [role] = await sql`
    select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
      (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned,
      (select count(*)::int from pg_auth_members where member = pg_roles.oid) as memberships
    from pg_roles where rolname = ${AUTH_LOGIN}`;
  expect(role).toEqual({
    ...{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false },
    ...{ owned: 0, memberships: 0 },
  });
  const readable = await sql`
    select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('public', 'watch') and relkind in ('r', 'v', 'p')
      and has_table_privilege(${AUTH_LOGIN}, pg_class.oid, 'select, insert, update, delete')`;
  expect(readable).toEqual([]);
});

test("a foreign schema `auth` is left alone, and the start fails with a message", async () => {
  const name = `foreign_${randomUUID().replaceAll("-", "")}`;
  await run(inject("serverUrl"), `create database ${name} template template0`);
  const url = new URL(inject("serverUrl"));
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { max: 1, onnotice: () => {} });
  await sql.unsafe(
    "create schema auth; create table auth.users (id uuid); create table auth.sessions (id uuid)",
  );
  await expect(createAuthSchema(sql)).rejects.toThrow("cannot read its accounts");
  await sql.end();
  await run(inject("serverUrl"), `drop database ${name} with (force)`);
});

test("row-level security gets the user id from either form of the claims", async () => {
  const { sql } = world.database;
  const id = randomUUID();
  const identityWith = (settings: Record<string, string>) =>
    sql.begin(async (db) => {
      for (const [name, value] of Object.entries(settings))
        await db`select set_config(${name}, ${value}, true)`;
      const [row] = await db`
        select auth.uid() as uid, auth.role() as role, auth.email() as email, auth.jwt() ->> 'session_id' as session`;
      return row;
    });
  const claims = { sub: id, role: "authenticated", email: "a@example.com", session_id: "s" };
  expect(await identityWith({ "request.jwt.claims": JSON.stringify(claims) })).toEqual({
    ...{ uid: id, role: "authenticated", email: "a@example.com", session: "s" },
  });
  expect(await identityWith({ "request.jwt.claim.sub": id, "request.jwt.claim.role": "anon" })).toEqual({
    ...{ uid: id, role: "anon", email: null, session: null },
  });
  expect(await identityWith({})).toEqual({ uid: null, role: null, email: null, session: null });
});
