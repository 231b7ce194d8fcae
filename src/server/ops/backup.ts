import type { Readable } from "node:stream";
import type { TransactionSql } from "postgres";
import postgres from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { isJobTableThere } from "#platform/database/job-table.ts";
import {
  type BackupFooter,
  type BackupTable,
  footerLine,
  headerLine,
  tableEnd,
  tableLine,
  writeBackup,
} from "./backup-file.ts";

/** Our schemas. The job queue creates its own; except for mails, its jobs are scheduled again by themselves. */
const SCHEMAS = ["auth", "private", "public", "watch"];

/** Writes a consistent snapshot to a file while everything keeps running. */
export async function backUp(databaseUrl: string, path: string, now: Date): Promise<{ tables: number }> {
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    return await inTransaction(sql, async (db) => {
      await db`set transaction isolation level repeatable read, read only`;
      const tables = await readTables(db);
      await writeBackup(path, dump(db, tables, now));
      return { tables: tables.length };
    });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function* dump(
  db: TransactionSql,
  tables: readonly BackupTable[],
  now: Date,
): AsyncGenerator<Buffer | string> {
  const [{ postgres: server, migrations }] = await db<[{ postgres: string; migrations: string[] }]>`
    select current_setting('server_version') as postgres,
      (select jsonb_agg(version order by version) from supabase_migrations.schema_migrations) as migrations`;
  yield headerLine({
    sereno: "backup",
    format: 1,
    madeAt: now.toISOString(),
    postgres: server,
    migrations,
  });
  for (const table of tables) {
    yield tableLine(table);
    const columns = table.columns.map((name) => quoted(name)).join(", ");
    yield* rowsOf(await db.unsafe(`copy ${table.table} (${columns}) to stdout`).readable());
    yield tableEnd;
  }
  yield footerLine(await readFooter(db));
}

async function* rowsOf(copied: Readable): AsyncGenerator<Buffer> {
  yield* copied;
  // The driver pauses its socket when a stream is full and resumes it when more is read. If the stream ends at that
  // moment nobody reads from it again, and the next table's rows would never arrive.
  copied._read(0);
}

/** Ordered by references, so that they can be filled in this order. */
export async function readTables(db: TransactionSql): Promise<BackupTable[]> {
  const rows = await db<{ id: number; table: string; columns: string[]; needs: number[] }[]>`
    select pg_class.oid::int as id, format('%I.%I', nspname, relname) as table,
      (
        select coalesce(jsonb_agg(attname order by attnum), '[]') from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
      ) as columns,
      (
        select coalesce(jsonb_agg(distinct confrelid::int), '[]') from pg_constraint
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid
      ) as needs
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname in (select jsonb_array_elements_text(${db.json(SCHEMAS)}))
    order by nspname, relname`;
  const placed = new Map<number, BackupTable>();
  let left = [...rows];
  while (left.length > 0) {
    const ready = left.filter(({ needs }) => needs.every((id) => placed.has(id)));
    if (ready.length === 0) throw new Error("Tables have circular references");
    for (const { id, table, columns } of ready) placed.set(id, { table, columns });
    left = left.filter(({ id }) => !placed.has(id));
  }
  return [...placed.values()];
}

/** Read last: no row in the file has a higher sequence number. */
async function readFooter(db: TransactionSql): Promise<BackupFooter> {
  const names = await db<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'S' and nspname in (select jsonb_array_elements_text(${db.json(SCHEMAS)})) order by 1`;
  const sequences: BackupFooter["sequences"] = [];
  for (const { name } of names) {
    const [row] = await db.unsafe<[{ value: string; isCalled: boolean }]>(
      `select last_value::text as value, is_called as "isCalled" from ${name}`,
    );
    sequences.push({ name, ...row });
  }
  return { sequences, mails: await readWaitingMails(db), isWhole: true };
}

async function readWaitingMails(db: TransactionSql): Promise<Record<string, unknown>[]> {
  if (!(await isJobTableThere(db))) return [];
  const rows = await db<{ data: Record<string, unknown> }[]>`
    select data from pgboss.job where name = 'send-mail' and state in ('created', 'retry', 'active')
    order by created_on`;
  return rows.map(({ data }) => data);
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
