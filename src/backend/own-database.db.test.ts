import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { findOwnDatabaseFaults } from "#server/start/start-faults.ts";
import { databaseSettings, run } from "#test/migrated-postgres.ts";
import { startTestProduct } from "#test/test-product.ts";
import { startTransactionPooler } from "#test/transaction-pooler.ts";

let name: string;
let adminUrl: string;
let ownerUrl: string;

/** A database as an administrator makes it for us: an owner without any other right, and nothing in it. */
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

/** The logins are the server's, the database and its owner ours. */
const settings = () => ({ ...databaseSettings(adminUrl), DATABASE_URL: ownerUrl });

const prepare = async () => run(adminUrl, await readFile("supabase/prepare-database.sql", "utf8"));

test("SERV-03 an unprivileged owner of a prepared database runs all of it", async () => {
  await prepare();
  // Twice is as good as once.
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

test("SERV-03 a database that is not prepared, and one that is another's, are named with what to do", async () => {
  expect(await findOwnDatabaseFaults(ownerUrl)).toEqual([
    "The database is not prepared (anon, authenticated, service_role): run supabase/prepare-database.sql in it once, as the server's administrator.",
  ]);
  await prepare();
  await run(adminUrl, "create schema watch");
  await run(adminUrl, `alter database ${name} connection limit 20`);
  await run(inject("serverUrl"), `alter database ${name} owner to postgres`);
  expect(await findOwnDatabaseFaults(ownerUrl)).toEqual([
    `The database allows ${name} 20 connections, and each process of Sereno needs up to 60: raise the limit (max_connections, or that of the user or the database).`,
    `The user ${name} does not own the database ${name}: \`alter database ${name} owner to ${name}\`.`,
    `Parts of the database belong to another user than ${name} (watch): give them to it, or use the user that made them.`,
  ]);
});

test("SERV-03 a newer schema, one of 0.x, edited migrations and tables changed by hand are each one sentence, and stop the start", async () => {
  await prepare();
  await (await startTestProduct(settings())).stop();
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const history = sql("supabase_migrations.schema_migrations");
  await sql`insert into ${history} (version, name) values ('20990101000000', 'from_tomorrow')`;
  await sql`update ${history} set statements = array['select 1'] where version = '20261201000100'`;
  const faults = await findOwnDatabaseFaults(ownerUrl);
  expect(faults).toEqual([
    "The database was brought up to date by a newer Sereno (20990101000000_from_tomorrow): start that one.",
    "Migrations were edited after they had been applied (20261201000100_people): restore the files, and write another migration instead.",
  ]);
  await expect(startTestProduct(settings())).rejects.toThrow("by a newer Sereno");
  await sql`delete from ${history} where version = '20990101000000'`;
  await sql`insert into ${history} (version, name) values ('20261115090000', 'profiles')`;
  const left =
    "The database is of Sereno 0.x, whose data is not carried over; it was left untouched: use another database or DATA_DIR.";
  expect(await findOwnDatabaseFaults(ownerUrl)).toEqual([left]);
  await expect(startTestProduct(settings())).rejects.toThrow(left);
  await sql`delete from ${history} where version = '20261115090000'`;
  await sql`alter table watch.bot drop column username`;
  await sql`alter table public.profiles disable row level security`;
  expect((await findOwnDatabaseFaults(ownerUrl)).at(-1)).toMatch(
    /^The database was changed by hand \(the column watch\.bot\.username, the constraint .* and \d more\): undo it/,
  );
  await sql.end();
});

test("SERV-03 a pooler that gives every transaction another session is named, and the server itself is fine", async () => {
  await prepare();
  const pooler = await startTransactionPooler(ownerUrl);
  expect(await findOwnDatabaseFaults(pooler.url)).toEqual([
    "DATABASE_URL leads to a pooler that gives every transaction another session (no LISTEN, no locks): connect to the server itself, or in the pooler's session mode.",
  ]);
  await pooler.stop();
});
