// What is said when a database cannot be started on, and that following the sentence works.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { signUp } from "#test/cast.ts";
import { run } from "#test/postgres/migrated-postgres.ts";
import { startTestProduct } from "#test/test-product.ts";
import { runOps } from "./run-ops.ts";

const made: string[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sereno-carry-over-"));
});
afterAll(async () => {
  for (const name of made) await run(inject("serverUrl"), `drop database if exists ${name} with (force)`);
  await rm(folder, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<string> {
  const name = `carried_${randomUUID().replaceAll("-", "")}`;
  await run(inject("serverUrl"), `create database ${name}`);
  made.push(name);
  const url = new URL(inject("serverUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

const FILTER = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/con-precio-hasta_1200/";
const FILE = /`npm run ops -- (backup|restore) <file>`/g;

/** Which versions of which rows there are: any write changes it. */
const everything = (sql: postgres.Sql) => sql`
  select 'class' as kind, oid::text as id, xmin::text as version from pg_class where relnamespace <> 'pg_toast'::regnamespace
  union all select 'function', oid::text, xmin::text from pg_proc
  union all select 'schema', nspname, xmin::text from pg_namespace where nspname not like 'pg\\_temp%'
  union all select 'migration', version, xmin::text from supabase_migrations.schema_migrations
  union all select 'part', part, xmin::text from supabase_migrations.sereno_parts
  union all select 'key', name, xmin::text from private.server_keys
  union all select 'person', id::text, xmin::text from auth.users
  order by kind, id`;

test("ONE-01 a database with other migrations is left untouched, and what the sentence names carries its data over", async () => {
  const DATABASE_URL = await emptyDatabase();
  const product = await startTestProduct({ DATABASE_URL });
  const alice = await signUp(product, "alice");
  const filter = { user_id: alice.id, filter_url: FILTER, receiver_ids: ["7001234567"] };
  expect((await alice.client.from("filter_settings").insert(filter)).error).toBeNull();
  await product.stop();
  const sql = postgres(DATABASE_URL, { max: 1, onnotice: () => {} });
  const history = sql("supabase_migrations.schema_migrations");
  await sql`update ${history} set statements = array['select 1'] where version = '0001'`;
  const before = await everything(sql);
  const message = await startTestProduct({ DATABASE_URL }).then(
    () => "it started",
    (error: Error) => error.message,
  );
  expect(message).toMatch(/other migrations than this version has \(0001_people\)\. It was left untouched\./);
  expect(await everything(sql)).toEqual(before);
  await sql.end();

  const target = await emptyDatabase();
  const file = join(folder, "carried.backup");
  const commands = [...message.matchAll(FILE)].map(([, command = ""]) => command);
  expect(commands).toEqual(["backup", "restore"]);
  for (const [index, command] of commands.entries()) {
    const databaseUrl = [DATABASE_URL, target][index];
    await runOps([command, file], { databaseUrl, dataDir: folder }, new Date());
  }
  const carried = await startTestProduct({ DATABASE_URL: target });
  const client = carried.createClient();
  const signedIn = await client.auth.signInWithPassword({ email: alice.email, password: "alice-password" });
  expect(signedIn.error).toBeNull();
  expect((await client.from("searches").select("filter_url")).data).toEqual([{ filter_url: FILTER }]);
  await carried.stop();
});

test("ONE-01 a database of 0.1 is left untouched", async () => {
  const DATABASE_URL = await emptyDatabase();
  await (await startTestProduct({ DATABASE_URL })).stop();
  const sql = postgres(DATABASE_URL, { max: 1, onnotice: () => {} });
  await sql`update supabase_migrations.schema_migrations set version = '20261115090000' where version = '0001'`;
  const before = await everything(sql);
  const started = startTestProduct({ DATABASE_URL });
  await expect(started).rejects.toThrow(
    "by Sereno 0.1 or earlier, whose data cannot be migrated. It was left untouched",
  );
  expect(await everything(sql)).toEqual(before);
  await sql.end();
});

test("ONE-01 a backup with a column that this version does not know is refused with its name", async () => {
  const source = await emptyDatabase();
  await (await startTestProduct({ DATABASE_URL: source })).stop();
  await run(source, "alter table public.profiles add column nickname text");
  const file = join(folder, "column.backup");
  await runOps(["backup", file], { databaseUrl: source, dataDir: folder }, new Date());
  const target = { databaseUrl: await emptyDatabase(), dataDir: folder };
  await expect(runOps(["restore", file], target, new Date())).rejects.toThrow(
    "The backup contains the unknown column nickname of public.profiles.",
  );
});
