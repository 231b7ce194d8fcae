import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import postgres, { type Sql } from "postgres";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { findOwnDatabaseFaults } from "#server/start/start-faults.ts";
import { run } from "#test/postgres/migrated-postgres.ts";
import { proveByMail } from "#test/proven-address.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { startTestProduct } from "#test/test-product.ts";
import { readMigrations } from "./migrate.ts";

let name: string;
let url: string;
let sql: Sql;

/** A new project as on hosted Supabase: the user of DATABASE_URL owns the database and is not a superuser. */
beforeEach(async () => {
  const server = inject("serverUrl");
  name = `hosted_${randomUUID().replaceAll("-", "")}`;
  await run(server, `create role ${name} login createdb createrole bypassrls password 'secret'`);
  await run(server, `create database ${name} owner ${name} encoding 'UTF8' template template0`);
  const admin = new URL(server);
  admin.pathname = `/${name}`;
  const text = await readFile("test/fixtures/hosted-supabase.sql", "utf8");
  await run(admin.href, text.replaceAll("{{owner}}", name));
  const owner = new URL(admin);
  [owner.username, owner.password] = [name, "secret"];
  url = owner.href;
  sql = postgres(url, { max: 2, onnotice: () => {} });
});

afterEach(async () => {
  await sql.end({ timeout: 1 });
  await run(inject("serverUrl"), `drop database ${name} with (force)`);
  await run(inject("serverUrl"), `drop role ${name}`);
});

const start = () =>
  startTestProduct({
    ...{ DATABASE_URL: url, SMTP_URL: "", MAIL_FROM: "" },
    ...{ SUPABASE_URL: "https://project.supabase.co", SUPABASE_PUBLISHABLE_KEY: "sb_publishable_hosted" },
  });

/** The rights of guests and people on every object of ours, one line each. */
const rightsIn = async (db: Sql) => {
  const rows = await db<{ line: string }[]>`
    select concat_ws(' ', role, privilege, relation::regclass) as line
    from (values ('anon'), ('authenticated')) as roles (role)
    cross join (values ('select'), ('insert'), ('update'), ('delete')) as privileges (privilege)
    cross join (
      select oid as relation from pg_class
      where relnamespace in (select oid from pg_namespace where nspname in ('public', 'watch', 'private'))
        and relkind in ('r', 'v')
    ) as relations
    where has_table_privilege(role, relation, privilege) or has_any_column_privilege(role, relation, case privilege when 'delete' then 'select' else privilege end)
      and privilege <> 'delete'
    union all
    select concat_ws(' ', role, 'execute', pg_proc.oid::regprocedure)
    from (values ('anon'), ('authenticated')) as roles (role), pg_proc
    where pronamespace in (select oid from pg_namespace where nspname in ('public', 'watch', 'private'))
      and has_function_privilege(role, pg_proc.oid, 'execute')
    order by 1`;
  return rows.map(({ line }) => line);
};

test("SERV-04 on hosted Supabase the server starts as a user without special rights, and people have the same rights as on the embedded one", async () => {
  expect(await findOwnDatabaseFaults(url, true)).toEqual([]);
  const product = await start();
  expect(await (await fetch(`${product.url}/config.json`)).json()).toMatchObject({
    supabaseUrl: "https://project.supabase.co",
    publishableKey: "sb_publishable_hosted",
  });
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  expect((await fetch(`${product.url}/auth/v1/health`)).status).toBe(404);
  await product.stop();
  const embedded = await createTestDatabase();
  const rights = await rightsIn(embedded.sql);
  expect(rights.length).toBeGreaterThan(20);
  expect(await rightsIn(sql)).toEqual(rights);
  await embedded.drop();
  expect(await findOwnDatabaseFaults(url, true)).toEqual([]);
});

test("SERV-04 migrations applied by `supabase db push` are neither applied again nor reported as edited", async () => {
  await sql`create schema supabase_migrations`;
  await sql`
    create table supabase_migrations.schema_migrations (
      version text not null primary key, statements text[], name text, created_by text, idempotency_key text unique
    )`;
  for (const { version, name: title, text } of await readMigrations("supabase/migrations")) {
    await sql.unsafe(text);
    const statements = [text.trim().replace(/;$/, "")];
    await sql`
      insert into supabase_migrations.schema_migrations (version, name, statements)
      values (${version}, ${title}, ${statements})`;
  }
  expect(await findOwnDatabaseFaults(url, true)).toEqual([]);
  const product = await start();
  expect(product.log()).not.toContain('"migrated"');
  await product.stop();
});

test("SERV-04 START-04 an address that GoTrue confirms for a Telegram account is proved and ends nothing", async () => {
  await (await start()).stop();
  const userId = randomUUID();
  await sql`insert into auth.users (id, raw_user_meta_data) values (${userId}, '{"full_name": "Ana"}')`;
  await sql`
    insert into auth.identities (provider_id, user_id, provider, identity_data)
    values ('880001', ${userId}, 'custom:telegram', '{"sub": "880001"}')`;
  await sql`select private.connect_own_chat(${userId}, 880001, 'Ana')`;
  const email = "ana@example.com";
  // The statements of GoTrue's email change.
  await sql`
    update auth.users set email_change = ${email}, email_change_token_new = 'hash', email_change_sent_at = now()
    where id = ${userId}`;
  await sql`
    insert into auth.identities (provider_id, user_id, provider, identity_data)
    values (${userId}, ${userId}, 'email', ${sql.json({ sub: userId, email })})`;
  await sql`update auth.users set email = ${email}, email_change = '', email_change_token_new = '' where id = ${userId}`;
  await sql`update auth.users set email_confirmed_at = now(), confirmation_token = '' where id = ${userId}`;
  await proveByMail(sql, userId);
  const [row] = await sql`
    select (select state from public.chats where user_id = ${userId}) as chat,
      exists (select from private.proven_addresses where user_id = ${userId}) as proved,
      (select array_agg(provider order by provider) from auth.identities where user_id = ${userId}) as providers,
      (select payload ->> 'notice' from watch.alerts where user_id = ${userId}) as notice`;
  const providers = ["custom:telegram", "email"];
  expect(row).toEqual({ chat: "connected", proved: true, providers, notice: "email-added" });
});

test("SERV-04 DOOR-06 GoTrue accounts also lose what could act without proof when Google confirms the owner", async () => {
  await (await start()).stop();
  const addAccount = async (email: string) => {
    const id = randomUUID();
    await sql`
      insert into auth.users (id, email, encrypted_password, recovery_token, confirmation_token, raw_user_meta_data)
      values (${id}, ${email}, 'hash', 'token', '', '{"full_name": "Mallory"}')`;
    await addIdentity(id, "email");
    await sql`insert into auth.sessions (id, user_id) values (${randomUUID()}, ${id})`;
    await sql`
      insert into public.filter_settings (user_id, filter_url, receiver_ids)
      values (${id}, 'https://www.idealista.com/alquiler-viviendas/madrid-madrid/', '{1}')`;
    return id;
  };
  const addIdentity = (id: string, provider: string) => sql`
    insert into auth.identities (provider_id, user_id, provider, identity_data)
    values (${randomUUID()}, ${id}, ${provider}, '{"email": "x@example.com"}')`;
  const leftOf = async (id: string) =>
    (
      await sql`
      select encrypted_password, recovery_token, raw_user_meta_data ->> 'full_name' as name,
        (select count(*)::int from auth.sessions where user_id = users.id) as sessions,
        (select count(*)::int from public.filter_settings where user_id = users.id) as filters
      from auth.users where id = ${id}`
    )[0];
  const squatted = await addAccount("squatted@example.com");
  await addIdentity(squatted, "google");
  expect(await leftOf(squatted)).toEqual({
    encrypted_password: null,
    recovery_token: "",
    name: null,
    sessions: 0,
    filters: 1,
  });

  const proven = await addAccount("proven@example.com");
  const session = randomUUID();
  await sql`insert into auth.sessions (id, user_id) values (${session}, ${proven})`;
  await sql`
    insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
    values (${randomUUID()}, ${session}, 'recovery', now(), now())`;
  await sql`update auth.users set encrypted_password = 'another' where id = ${proven}`;
  await addIdentity(proven, "google");
  expect(await leftOf(proven)).toMatchObject({ encrypted_password: "another", filters: 1, sessions: 1 });
  expect(await sql`select user_id from private.account_mails where kind = 'access-ended'`).toEqual([
    { user_id: squatted },
  ]);
});

test("DOOR-10 SERV-04 an account of a Telegram user whose subject is no chat can be deleted, and mailed about", async () => {
  await (await start()).stop();
  const userId = randomUUID();
  await sql`insert into auth.users (id, raw_user_meta_data) values (${userId}, '{"full_name": "Ana"}')`;
  await sql`
    insert into auth.identities (provider_id, user_id, provider, identity_data)
    values ('18446744073709551615', ${userId}, 'custom:telegram', '{"sub": "18446744073709551615"}')`;
  await sql`insert into private.account_mails (kind, user_id) values ('chats-lost', ${userId})`;
  await sql`select private.delete_account(${userId})`;
  expect(await sql`select from auth.users where id = ${userId}`).toHaveLength(0);
  expect(await sql`select from private.account_mails`).toHaveLength(0);
});

test("TIME-01 SERV-04 under GoTrue a change of password, a suspension and signing out everywhere end pending codes and links", async () => {
  await (await start()).stop();
  const acts = [
    (id: string) => sql`update auth.users set encrypted_password = 'another' where id = ${id}`,
    (id: string) => sql`update auth.users set banned_until = now() + interval '1 day' where id = ${id}`,
    (id: string) => sql`delete from auth.sessions where user_id = ${id}`,
    (id: string) => sql`delete from auth.identities where user_id = ${id} and provider = 'custom:telegram'`,
    (id: string) => sql`delete from auth.users where id = ${id}`,
  ];
  for (const act of acts) {
    const id = randomUUID();
    await sql`insert into auth.users (id, email, encrypted_password) values (${id}, ${`${id}@example.com`}, 'hash')`;
    await sql`
      insert into auth.identities (provider_id, user_id, provider, identity_data) values (${id}, ${id}, 'custom:telegram', '{}')`;
    await sql`insert into auth.sessions (id, user_id) values (${randomUUID()}, ${id})`;
    await sql`
      insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type, authentication_method)
      values (${randomUUID()}, ${id}, ${randomUUID()}, 's256', 'x', 'custom:telegram', 'oauth')`;
    await sql`
      insert into watch.link_tokens (token_hash, user_id, expires_at)
      values (decode(replace(${id}, '-', ''), 'hex'), ${id}, now() + interval '15 minutes')`;
    await act(id);
    const [left] = await sql`
      select (select count(*)::int from auth.flow_state where user_id = ${id}) as codes,
        (select count(*)::int from watch.link_tokens where user_id = ${id}) as links`;
    expect(left).toEqual({ codes: 0, links: 0 });
  }
});
