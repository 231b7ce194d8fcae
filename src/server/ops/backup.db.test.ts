import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { signUp } from "#test/cast.ts";
import { run } from "#test/postgres/migrated-postgres.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { runOps } from "./run-ops.ts";

const NOW = new Date("2026-11-16T12:00:00Z");
const patience = { timeout: 60_000, interval: 20 };
let product: TestProduct;
let folder: string;
const made: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sereno-backup-"));
  product = await startTestProduct({ TRUSTED_PROXIES: "1" });
});
afterAll(async () => {
  await product.stop();
  for (const name of made) await run(inject("serverUrl"), `drop database if exists ${name} with (force)`);
  await rm(folder, { recursive: true, force: true });
});

/** An empty database. */
async function emptyDatabase(): Promise<string> {
  const name = `restored_${process.pid}_${made.length}`;
  await run(inject("serverUrl"), `create database ${name}`);
  made.push(name);
  const url = new URL(inject("serverUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

const ops = async (databaseUrl: string, ...args: string[]) =>
  JSON.parse(await runOps([...args, "--json"], { databaseUrl, dataDir: folder }, NOW));

test("SERV-06 a backup taken during writes contains everything acknowledged before it, and can be restored completely", {
  tags: "long",
}, async () => {
  const { url } = product.database;
  const path = join(folder, "under-load.backup");
  const alice = await signUp(product, "alice");
  const people = [alice, await signUp(product, "bob"), await signUp(product, "carol")];
  const odd = "a\ttab, a\\backslash, a\u2028line and a\r\nbreak";
  const { sql: source } = product.database;
  await source`update public.profiles set full_name = 'Ana ’ Ñ' where id = ${alice.id}`;
  await source`
    insert into watch.source_defects (source, kind, reason, amount) values ('official', 'gap', ${odd}, 7)`;
  // More than a stream's buffer holds: the end of one stream must not block the next.
  const large = { pad: "x".repeat(300_000) };
  await source`
    insert into watch.feeds (key, source, query, interval_seconds)
    values ('large', 'official', ${source.json(large)}, 600)`;
  product.mail.setDown(true);
  await product.createClient().auth.resetPasswordForEmail(alice.email);
  const waiting = () => product.database.sql`select from pgboss.job where name = 'send-mail'`;
  await expect.poll(async () => (await waiting()).length, patience).toBe(1);

  // Everyone keeps saving; each acknowledged save is recorded.
  const answered: { id: string; round: number }[] = [];
  const state = { isOver: false };
  const writers = people.map(async ({ client, id }) => {
    for (let round = 1; !state.isOver; round++) {
      const filter = {
        user_id: id,
        filter_url: `https://www.idealista.com/alquiler-viviendas/madrid-madrid/con-precio-hasta_${round * 100}/`,
        receiver_ids: ["7001234567"],
      };
      const { error } = await client.from("filter_settings").upsert(filter, { onConflict: "user_id" });
      if (error) throw error;
      answered.push({ id, round });
    }
  });
  await expect.poll(() => new Set(answered.map(({ id }) => id)).size, patience).toBe(3);
  const before = [...answered];
  // A leftover of an interrupted backup must not make this one readable by others.
  await writeFile(`${path}.part`, "", { mode: 0o666 });
  const { tables } = await ops(url, "backup", path);
  state.isOver = true;
  await Promise.all(writers);
  product.mail.setDown(false);
  expect(tables).toBeGreaterThan(30);
  expect((await stat(path)).mode & 0o077).toBe(0);

  const target = await emptyDatabase();
  expect(await ops(target, "restore", path)).toEqual({
    ...{ file: path, madeAt: NOW.toISOString(), tables, people: 3, searches: 3, alerts: expect.any(Number) },
  });
  const restored = await startTestProduct({ DATABASE_URL: target });
  const sql = postgres(target, { onnotice: () => {} });
  try {
    for (const { id } of people) {
      const [row] = await sql`select filter_url from public.filter_settings where user_id = ${id}`;
      const kept = Number(/hasta_(\d+)/.exec(row?.filter_url)?.[1]) / 100;
      const last = Math.max(...before.filter((one) => one.id === id).map(({ round }) => round));
      expect(kept).toBeGreaterThanOrEqual(last);
    }
    expect((await sql`select reason from watch.source_defects`)[0]?.reason).toBe(odd);
    expect((await sql`select query from watch.feeds where key = 'large'`)[0]?.query).toEqual(large);
    // The waiting mail is sent, passwords and sessions still work, and sequences continue.
    await expect
      .poll(() => restored.mail.mails().some(({ to }) => to.includes(alice.email)), patience)
      .toBe(true);
    const signedIn = await restored
      .createClient()
      .auth.signInWithPassword({ email: alice.email, password: "alice-password" });
    expect(signedIn.error).toBeNull();
    const { data } = await alice.client.auth.getSession();
    const token = data.session?.access_token;
    const old = createClient(restored.url, restored.publishableKey, {
      global: { headers: { authorization: `Bearer ${token}` } },
      auth: { persistSession: false },
    });
    expect((await old.from("profiles").select("full_name").eq("id", alice.id)).data).toEqual([
      { full_name: "Ana ’ Ñ" },
    ]);
    expect(restored.publishableKey).toBe(product.publishableKey);
  } finally {
    await sql.end();
    await restored.stop();
  }
});

test("SERV-06 an incomplete, foreign or newer backup, and a database in use, are refused without changes", async () => {
  const { url } = product.database;
  const path = join(folder, "whole.backup");
  await ops(url, "backup", path);
  const target = await emptyDatabase();
  const whole = await readFile(path);
  const cut = join(folder, "cut.backup");
  await writeFile(cut, whole.subarray(0, whole.length - 40));
  await expect(ops(target, "restore", cut)).rejects.toThrow("is not a complete backup");
  const sql = postgres(target, { max: 1, onnotice: () => {} });
  expect(await sql`select from pg_tables where schemaname in ('auth', 'watch', 'public')`).toHaveLength(0);
  await sql.end();
  const foreign = join(folder, "foreign.backup");
  await writeFile(foreign, "hello");
  await expect(ops(await emptyDatabase(), "restore", foreign)).rejects.toThrow("is not a complete backup");
  await expect(ops(await emptyDatabase(), "restore", join(folder, "none"))).rejects.toThrow(
    "is not a complete backup",
  );
  await expect(ops(url, "restore", path)).rejects.toThrow("The database is not empty");
  await expect(ops(url, "backup", join(folder, "no", "such", "folder"))).rejects.toThrow();
});

test("RUN-04 relative paths of a backup are taken from where the command was called", async () => {
  const settings = { databaseUrl: product.database.url, dataDir: folder, calledFrom: folder };
  const said = await runOps(["backup", "here.backup", "--json"], settings, NOW);
  expect(JSON.parse(said)).toMatchObject({ file: join(folder, "here.backup") });
  expect((await stat(join(folder, "here.backup"))).size).toBeGreaterThan(1_000);
});

test("RUN-01 a schema that an older version made can be backed up, a database without one cannot", async () => {
  const empty = await emptyDatabase();
  await expect(ops(empty, "backup", join(folder, "empty.backup"))).rejects.toThrow(
    "This database has no Sereno schema: there is nothing to back up.",
  );
  const { url } = product.database;
  await run(url, "alter table watch.pause rename to pause_of_a_later_version");
  try {
    await expect(ops(url, "status")).rejects.toThrow("or an older one");
    const { tables } = await ops(url, "backup", join(folder, "older.backup"));
    expect(tables).toBeGreaterThan(10);
  } finally {
    await run(url, "alter table watch.pause_of_a_later_version rename to pause");
  }
});
