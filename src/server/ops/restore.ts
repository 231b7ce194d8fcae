import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import postgres, { type TransactionSql } from "postgres";
import { StartError } from "#backend/postgres/start-error.ts";
import { prepareDatabase } from "#backend/prepare-database.ts";
import { currentVersion } from "#backend/renamed-migrations.ts";
import { isOfVersionZero } from "#backend/schema-faults.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { createJobs } from "#platform/database/jobs.ts";
import { requeueMails } from "../account-mails/send-mails.ts";
import { quoted, readTables } from "./backup.ts";
import { type BackupReader, type BackupTable, readBackup, requireWhole } from "./backup-file.ts";
import { askOnce } from "./open-database.ts";

type RestoreOptions = { databaseUrl: string; path: string; migrationsFolder: string };

/** What a restore brought back. */
export type Restored = { madeAt: string; tables: number; people: number; searches: number; alerts: number };

/**
 * Fills an empty database from a backup: the schema of that time, then all rows in one transaction. The next start
 * applies newer migrations.
 */
export async function restore({ databaseUrl, path, migrationsFolder }: RestoreOptions): Promise<Restored> {
  await requireWhole(path);
  const backup = await readBackup(path);
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    await requireEmpty(databaseUrl);
    await makeSchema(databaseUrl, migrationsFolder, backup.header.migrations);
    const filled = await inTransaction(sql, (db) => fill(db, backup));
    await requeue(databaseUrl, backup);
    return { madeAt: backup.header.madeAt, ...filled };
  } finally {
    backup.close();
    await sql.end({ timeout: 1 });
  }
}

async function requireEmpty(databaseUrl: string): Promise<void> {
  const { isUsed } = await askOnce<{ isUsed: boolean }>(
    databaseUrl,
    `select exists (
      select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    ) as "isUsed"`,
  );
  if (isUsed) {
    throw new StartError("The database is not empty: make a new one, and set DATABASE_URL to it.");
  }
}

/** Applies exactly the migrations that the backup had: later ones must find its rows. */
async function makeSchema(databaseUrl: string, folder: string, versions: readonly string[]): Promise<void> {
  if (isOfVersionZero(versions)) {
    throw new StartError("The backup was made by Sereno 0.1 or earlier, whose data cannot be migrated.");
  }
  const files = await readdir(folder);
  const known = versions.map((version) =>
    files.find((file) => file.startsWith(`${currentVersion(version)}_`)),
  );
  if (known.includes(undefined)) {
    throw new StartError("The backup was made by a newer Sereno: restore it with that one.");
  }
  const then = await mkdtemp(join(tmpdir(), "sereno-migrations-"));
  try {
    for (const file of known) if (file) await cp(join(folder, file), join(then, file));
    await prepareDatabase({ databaseUrl, migrationsFolder: then, isOlder: true });
  } finally {
    await rm(then, { recursive: true, force: true });
  }
}

async function fill(db: TransactionSql, backup: BackupReader): Promise<Omit<Restored, "madeAt">> {
  const present = await readTables(db);
  const names = present.map(({ table }) => table);
  // The backup also contains rows that migrations or triggers wrote.
  await db.unsafe(`truncate ${names.join(", ")}`);
  for (const name of names) await db.unsafe(`alter table ${name} disable trigger user`);
  const counts = new Map<string, number>();
  for await (const { table, rows } of backup.tables) {
    const known = present.find(({ table: name }) => name === table.table);
    if (!known) throw new StartError(`The backup contains the unknown table ${table.table}.`);
    await addMissingColumns(db, known, table);
    const columns = table.columns.map(quoted).join(", ");
    const into = await db.unsafe(`copy ${table.table} (${columns}) from stdin`).writable();
    let count = 0;
    const counting = async function* () {
      for await (const row of rows) {
        count += 1;
        yield row;
      }
    };
    await pipeline(counting, into);
    counts.set(table.table, count);
  }
  for (const { name, value, isCalled } of backup.footer().sequences) {
    await db`select setval(${name}::regclass, ${value}::bigint, ${isCalled})`;
  }
  for (const name of names) await db.unsafe(`alter table ${name} enable trigger user`);
  const countOf = (name: string) => counts.get(name) ?? 0;
  return {
    tables: counts.size,
    people: countOf("auth.users"),
    searches: countOf("public.searches"),
    alerts: countOf("watch.alerts"),
  };
}

/** The auth schema is always made as it is now; the migrations that follow read and drop columns of an older one. */
async function addMissingColumns(
  db: TransactionSql,
  known: BackupTable,
  { table, columns }: BackupTable,
): Promise<void> {
  for (const column of columns.filter((name) => !known.columns.includes(name))) {
    if (!table.startsWith("auth.")) {
      throw new StartError(`The backup contains the unknown column ${column} of ${table}.`);
    }
    await db.unsafe(`alter table ${table} add column ${quoted(column)} text`);
  }
}

async function requeue(databaseUrl: string, backup: BackupReader): Promise<void> {
  const { mails } = backup.footer();
  if (mails.length === 0) return;
  const jobs = createJobs({ databaseUrl, logger: { info: () => {}, warn: () => {}, error: () => {} } });
  await jobs.start();
  try {
    await requeueMails(jobs, mails);
  } finally {
    await jobs.stop();
  }
}
