// Rows of tables that a migration gives another shape, from a database that was migrated no further than the one before.
import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { expect, inject, onTestFinished, test } from "vitest";
import { run } from "#test/postgres/migrated-postgres.ts";
import { prepareDatabase } from "./prepare-database.ts";

const MIGRATIONS = "supabase/migrations";

async function databaseBefore(version: string): Promise<{ url: string; sql: postgres.Sql }> {
  const [name, folder] = [
    `carried_${randomUUID().replaceAll("-", "")}`,
    await mkdtemp(join(tmpdir(), "sereno-")),
  ];
  await run(inject("serverUrl"), `create database ${name}`);
  const url = new URL(inject("serverUrl"));
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { max: 1, onnotice: () => {} });
  onTestFinished(async () => {
    await sql.end({ timeout: 1 });
    await run(inject("serverUrl"), `drop database ${name} with (force)`);
    await rm(folder, { recursive: true });
  });
  for (const file of await readdir(MIGRATIONS)) {
    if (file < version) await cp(join(MIGRATIONS, file), join(folder, file));
  }
  await prepareDatabase({ databaseUrl: url.href, migrationsFolder: folder, isOlder: true });
  return { url: url.href, sql };
}

test("ONE-01 first checks of accounts, the newcomers of a month and waiting farewells are carried over", async () => {
  const { url, sql } = await databaseBefore("20261119041608");
  const person = randomUUID();
  await sql`insert into auth.users (id, email, aud, role) values (${person}, 'ana@example.com', 'authenticated', 'authenticated')`;
  await sql`insert into watch.chats (chat_id) values (700)`;
  await sql`
    insert into watch.first_checks (user_id, chat_id, address_hash, whole_at, first_at) values
      (${person}, null, null, '2026-11-19', '2026-11-01'), (null, 700, null, '2026-11-19', '2026-11-01'),
      (null, null, '\\x01', '2026-11-19', '2026-11-01')`;
  await sql`
    insert into watch.newcomer_checks (source, day, checks, chat_checks) values
      ('official', '2026-10-31', 1, 0), ('official', '2026-11-01', 2, 1), ('official', '2026-11-18', 3, 0)`;
  await sql`insert into watch.deletion_notices (chat_id, language, kind) values (700, 'fr', 'access-ended')`;
  await sql`insert into watch.search_previews (user_id, filter_url) values (${person}, 'https://www.idealista.com/a/')`;

  await prepareDatabase({ databaseUrl: url, migrationsFolder: MIGRATIONS });

  expect(await sql`select user_id, first_at::date::text as first from watch.first_checks`).toEqual([
    { user_id: person, first: "2026-11-01" },
  ]);
  expect(await sql`select day::text, checks from watch.newcomer_checks order by day`).toEqual([
    { day: "2026-10-01", checks: 1 },
    { day: "2026-11-01", checks: 5 },
  ]);
  expect(await sql`select user_id, chat_id::int as chat, kind, language, state from watch.alerts`).toEqual([
    { user_id: null, chat: 700, kind: "access-ended", language: "fr", state: "pending" },
  ]);
  expect(await sql`select user_id, chat_id from watch.search_previews`).toEqual([
    { user_id: person, chat_id: null },
  ]);
});
