import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReservedSql, Sql } from "postgres";
import { StartError } from "./postgres/start-error.ts";

// An arbitrary number, the same in every process that migrates this database.
const MIGRATION_LOCK = 7_370_002;
const MIGRATION_FILE = /^(\d{14})_([a-z0-9_]+)\.sql$/;

type Migration = { version: string; name: string; text: string };

/**
 * Applies pending migrations, oldest first, each in its own transaction. They are recorded where the Supabase CLI
 * records them, so `supabase db push` and this function agree.
 */
export async function applyMigrations(sql: Sql, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const connection = await sql.reserve();
  try {
    await connection`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await ensureHistory(connection);
    const rows = await connection<
      { version: string }[]
    >`select version from supabase_migrations.schema_migrations`;
    const applied = new Set(rows.map((row) => row.version));
    const pending = migrations.filter((migration) => !applied.has(migration.version));
    for (const migration of pending) await applyMigration(connection, migration);
    return pending.map(({ version, name }) => `${version}_${name}`);
  } finally {
    await connection`select pg_advisory_unlock(${MIGRATION_LOCK})`;
    connection.release();
  }
}

export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (file) => {
      const [, version, name] = MIGRATION_FILE.exec(file) ?? [];
      if (!version || !name) throw new StartError(`${file} in ${folder} is not named like a migration.`);
      return { version, name, text: await readFile(join(folder, file), "utf8") };
    }),
  );
}

async function ensureHistory(connection: ReservedSql): Promise<void> {
  await connection`create schema if not exists supabase_migrations`;
  await connection`
    create table if not exists supabase_migrations.schema_migrations (
      version text not null primary key, statements text[], name text
    )`;
}

async function applyMigration(connection: ReservedSql, { version, name, text }: Migration): Promise<void> {
  await connection`begin`;
  try {
    await connection.unsafe(text);
    await connection`
      insert into supabase_migrations.schema_migrations (version, name, statements)
      values (${version}, ${name}, ${[text]})`;
    await connection`commit`;
  } catch (cause) {
    await connection`rollback`;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`The migration ${version}_${name} failed and changed nothing: ${said}`, { cause });
  }
}
