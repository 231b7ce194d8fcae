import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { takeSessionLock } from "#platform/database/session-lock.ts";
import { findOwnDatabaseFaults } from "#server/start/start-faults.ts";
import { databaseSettings, run } from "#test/postgres/migrated-postgres.ts";
import { startSessionPooler } from "#test/postgres/session-pooler.ts";
import { startTransactionPooler } from "#test/postgres/transaction-pooler.ts";
import { startTestProduct } from "#test/test-product.ts";

let name: string;
let adminUrl: string;
let ownerUrl: string;

/** An empty database as an administrator creates it for us; its owner has no other rights. */
beforeEach(async () => {
  const server = inject("serverUrl");
  name = `own_${randomUUID().replaceAll("-", "")}`;
  await run(server, `create role ${name} login password 'secret'`);
  await run(server, `create database ${name} owner ${name} encoding 'UTF8' template template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  adminUrl = url.href;
  url.username = name;
  url.password = "secret";
  ownerUrl = url.href;
});

afterEach(async () => {
  await run(inject("serverUrl"), `drop database ${name} with (force)`);
  await run(inject("serverUrl"), `drop role ${name}`);
});

/** The logins belong to the server, the database and its owner to this test. */
const settings = () => ({ ...databaseSettings(adminUrl), DATABASE_URL: ownerUrl });

const prepare = async () => run(adminUrl, await readFile("supabase/prepare-database.sql", "utf8"));

test("SERV-03 an unprivileged owner of a prepared database can run the product", async () => {
  await prepare();
  // Running the script twice is harmless.
  await prepare();
  expect(await findOwnDatabaseFaults(ownerUrl)).toEqual([]);
  const product = await startTestProduct(settings());
  const client = product.createClient();
  await client.auth.signUp({ email: "own@example.com", password: "a-long-password" });
  const { data, error } = await client.from("profiles").select("id");
  expect([data?.length, error]).toEqual([1, null]);
  const strangers = await product.createClient().from("profiles").select("id");
  expect(strangers.data ?? []).toEqual([]);
  await product.stop();
  expect(await findOwnDatabaseFaults(ownerUrl)).toEqual([]);
});

test("SERV-03 an unprepared database and one of another owner are reported with what to do", async () => {
  expect(await findOwnDatabaseFaults(ownerUrl)).toEqual([
    "The database is not prepared (anon, authenticated, service_role): run supabase/prepare-database.sql in it once, as the server's administrator.",
  ]);
  await prepare();
  await run(adminUrl, "create schema watch");
  await run(adminUrl, `alter database ${name} connection limit 20`);
  await run(inject("serverUrl"), `alter database ${name} owner to postgres`);
  expect(await findOwnDatabaseFaults(ownerUrl)).toEqual([
    `The database allows ${name} 20 connections, and a process with these roles needs up to 58: raise the limit (max_connections, or that of the user or the database).`,
    `The user ${name} does not own the database ${name}: \`alter database ${name} owner to ${name}\`.`,
    `Schemas of the database belong to another user than ${name} (watch): change their owner, or connect as the user that created them.`,
  ]);
});

test("SERV-03 a newer schema, a 0.1 schema, other migrations and manual changes to tables each stop the start with one sentence", async () => {
  await prepare();
  await (await startTestProduct(settings())).stop();
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const history = sql("supabase_migrations.schema_migrations");
  await sql`insert into ${history} (version, name) values ('20990101000000', 'from_tomorrow')`;
  await sql`update ${history} set statements = array['select 1'] where version = '0001'`;
  const faults = await findOwnDatabaseFaults(ownerUrl);
  expect(faults).toEqual([
    "The database was migrated by a newer Sereno (20990101000000_from_tomorrow): start that one.",
    expect.stringMatching(
      /^The database was made with other migrations .* \(0001_people\)\. It was left untouched\./,
    ),
  ]);
  await expect(startTestProduct(settings())).rejects.toThrow("by a newer Sereno");
  await sql`delete from ${history} where version = '20990101000000'`;
  await sql`create table history_before as select * from ${history}`;
  await sql`delete from ${history}`;
  await sql`insert into ${history} (version, name) values ('20261115090000', 'profiles')`;
  const left =
    "The database was created by Sereno 0.1 or earlier, whose data cannot be migrated. It was left untouched: use another database or DATA_DIR.";
  expect(await findOwnDatabaseFaults(ownerUrl)).toEqual([left]);
  await expect(startTestProduct(settings())).rejects.toThrow(left);
  await sql`delete from ${history}`;
  await sql`insert into ${history} select * from history_before`;
  await sql`alter table watch.bot drop column username`;
  await sql`alter table public.profiles disable row level security`;
  await sql`alter table public.listings disable row level security`;
  expect((await findOwnDatabaseFaults(ownerUrl)).at(-1)).toMatch(
    /^The database was changed by hand \(the column watch\.bot\.username, the constraint .* and \d more\): undo it/,
  );
  await sql.end();
});

test("SERV-03 a pooler in transaction mode is reported, and the server itself is accepted", async () => {
  await prepare();
  const pooler = await startTransactionPooler(ownerUrl);
  expect(await findOwnDatabaseFaults(pooler.url)).toEqual([
    "DATABASE_URL leads to a pooler in transaction mode (no LISTEN, no session locks): connect to the server itself or use the pooler's session mode.",
  ]);
  await pooler.stop();
});

test("RUN-01 the product runs behind a pooler in session mode, which refuses most startup parameters", async () => {
  await prepare();
  const pooler = await startSessionPooler(adminUrl);
  const { port } = new URL(pooler.url);
  const throughPooler = Object.entries(settings()).map(([setting, direct]) => {
    const url = new URL(direct);
    url.port = port;
    return [setting, url.href] as const;
  });
  const through = Object.fromEntries(throughPooler);
  expect(await findOwnDatabaseFaults(through.DATABASE_URL ?? "")).toEqual([]);
  const product = await startTestProduct(through);
  const client = product.createClient();
  const { error } = await client.auth.signUp({ email: "pooled@example.com", password: "a-long-password" });
  expect(error).toBeNull();
  expect((await client.from("profiles").select("id")).data).toHaveLength(1);
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  await product.stop();
  const { signal } = new AbortController();
  const lock = await takeSessionLock({ databaseUrl: through.DATABASE_URL ?? "", name, signal });
  expect(lock?.isHeld()).toBe(true);
  await lock?.release();
  // A client that does send them is refused, as the real one does.
  const refused = postgres(pooler.url, { max: 1, connection: { statement_timeout: 1 } });
  await expect(refused`select 1`).rejects.toThrow("unsupported startup parameter: statement_timeout");
  await refused.end();
  await pooler.stop();
});
