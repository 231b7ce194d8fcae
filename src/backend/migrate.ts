import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql, TransactionSql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { StartError } from "./postgres/start-error.ts";

// An arbitrary number, the same in every process that migrates this database.
const MIGRATION_LOCK = 7_370_002;
/** The first 26 have numbers, which every date comes after; later ones are dated. */
const MIGRATION_FILE = /^(\d{4}|\d{14})_([a-z0-9_]+)\.sql$/;

type Migration = { version: string; name: string; text: string };

/**
 * Applies pending migrations, oldest first, each in its own transaction. They are recorded where the Supabase CLI
 * records them, so `supabase db push` and this function agree.
 */
export async function applyMigrations(sql: Sql, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder);
  await inTransaction(sql, async (db) => {
    await takeLock(db);
    await ensureHistory(db);
  });
  const applied: string[] = [];
  for (const migration of migrations) {
    if (await applyIfPending(sql, migration)) applied.push(nameOf(migration));
  }
  return applied;
}

const nameOf = ({ version, name }: Migration) => `${version}_${name}`;

const takeLock = (db: TransactionSql) => db`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;

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

async function ensureHistory(db: TransactionSql): Promise<void> {
  await db`create schema if not exists supabase_migrations`;
  await db`
    create table if not exists supabase_migrations.schema_migrations (
      version text not null primary key, statements text[], name text
    )`;
}

/** Whether it was applied now. The lock is held per transaction: a lost connection leaves nothing half done. */
async function applyIfPending(sql: Sql, migration: Migration): Promise<boolean> {
  const { version, name, text } = migration;
  return inTransaction(sql, async (db) => {
    await takeLock(db);
    const [known] = await db`select from supabase_migrations.schema_migrations where version = ${version}`;
    if (known) return false;
    await db.unsafe(text);
    await db`
      insert into supabase_migrations.schema_migrations (version, name, statements)
      values (${version}, ${name}, array[${text}])`;
    return true;
  }).catch((cause: unknown) => {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`The migration ${nameOf(migration)} failed and changed nothing: ${said}`, { cause });
  });
}
