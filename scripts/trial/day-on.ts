// The console's "A day later", in a trial: everything that the product has stored becomes a day older, as if the machine had slept.
// The product itself knows nothing of it.

import { join } from "node:path";
import type { Sql } from "postgres";
import { findPostmaster } from "#backend/postgres/postmaster.ts";
import { findSecrets } from "#backend/secrets.ts";
import { openDatabase } from "#platform/database/open-database.ts";

const TRIES = 5;

export async function moveDayOn(sql: Sql): Promise<void> {
  const tables = await sql<{ schema: string; name: string; columns: string[] }[]>`
    select columns.table_schema as schema, columns.table_name as name, array_agg(column_name::text) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where data_type = 'timestamp with time zone' and is_generated = 'NEVER' and table_type = 'BASE TABLE'
      and columns.table_schema in ('public', 'watch', 'private', 'auth')
    group by 1, 2 order by 1, 2`;
  await sql.begin(async (db) => {
    // No trigger takes it for an act of a person.
    await db`set local session_replication_role = replica`;
    for (const { schema, name, columns } of tables) {
      const moved = columns.map((column) => `"${column}" = "${column}" - interval '1 day'`);
      await db.unsafe(`update "${schema}"."${name}" set ${moved.join(", ")}`);
    }
  });
}

/** On the embedded database of a trial. It is in use: a deadlock ends one attempt. */
export async function moveTrialOn(dataDir: string): Promise<void> {
  const server = await findPostmaster(join(dataDir, "postgres"));
  const secrets = await findSecrets(dataDir);
  if (!server || !secrets) throw new Error("The trial has a database of its own that is not running");
  const password = encodeURIComponent(secrets.databasePassword);
  const url = `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`;
  const sql = openDatabase({ url, max: 1 });
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await moveDayOn(sql);
      } catch (error) {
        if (attempt === TRIES) throw error;
      }
    }
  } finally {
    await sql.end();
  }
}
