import { readFile } from "node:fs/promises";
import type { Sql } from "postgres";
import { openPool } from "#platform/database/open-pool.ts";
import { createAuthSchema, grantToAuthRole } from "./auth/auth-schema.ts";
import { storeDomainsInAscii } from "./auth/stored-addresses.ts";
import { AUTH_LOGIN } from "./login-roles.ts";
import { applyMigrations } from "./migrate.ts";
import { StartError } from "./postgres/start-error.ts";
import { installRealtime, type WatchedTables } from "./realtime/realtime-schema.ts";
import { renameHistory } from "./renamed-migrations.ts";
import { type Catalogue, readCatalogue } from "./rest/catalogue.ts";
import { findSchemaFaults } from "./schema-faults.ts";
import { hasSchemaParts, recordSchemaParts } from "./schema-parts.ts";

// An arbitrary number, the same in every process that prepares this database.
const PREPARING = 7_370_004;
/** Longer than any migration has taken: a start that hangs must not block the others for ever. */
const PREPARING_WAIT_MS = 10 * 60_000;
const PREPARE_SCRIPT = new URL("../../supabase/prepare-database.sql", import.meta.url);

/**
 * Brings a database to the current schema: first the objects that hosted Supabase provides (unless it is one), then our
 * migrations. If several processes start at once, one does the work and the others wait.
 */
export async function prepareDatabase(options: {
  databaseUrl: string;
  migrationsFolder: string;
  isHosted?: boolean;
  /** How long to wait for another process that prepares it. */
  waitMs?: number;
  /** The schema of an older version, which a restore fills. Only the current one has all that our services need. */
  isOlder?: boolean;
}): Promise<{ applied: string[]; realtimeTables: WatchedTables; catalogue: Catalogue }> {
  const sql = openPool(options.databaseUrl, { max: 2 });
  const settings = { lock_timeout: options.waitMs ?? PREPARING_WAIT_MS };
  const lock = openPool(options.databaseUrl, { max: 1, settings });
  try {
    await lock`select pg_advisory_lock(${PREPARING})`.catch(explainTimeout);
    const faults = await findSchemaFaults(sql, options.migrationsFolder);
    if (faults.length > 0) throw new StartError(faults.join(" "));
    await renameHistory(sql);
    if (!options.isHosted) {
      await ensureRolesAndPublication(sql);
      await createAuthSchema(sql);
    }
    const applied = await applyMigrations(sql, options.migrationsFolder);
    if (!options.isHosted) await storeDomainsInAscii(sql);
    const isServed = !options.isHosted && !options.isOlder;
    if (isServed) await grantToAuthRole(sql, AUTH_LOGIN);
    if (applied.length > 0 || !(await hasSchemaParts(sql))) await recordSchemaParts(sql);
    const realtimeTables = isServed ? await installRealtime(sql) : new Map();
    return { applied, realtimeTables, catalogue: isServed ? await readCatalogue(sql) : NOTHING };
  } finally {
    await Promise.all([sql.end({ timeout: 1 }), lock.end({ timeout: 1 })]);
  }
}

function explainTimeout(error: unknown): never {
  const isTimeout = error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE;
  if (!isTimeout) throw error;
  throw new StartError(
    "Another Sereno has been preparing this database for minutes and has not finished. Stop that one, then start again.",
    { cause: error },
  );
}

const LOCK_NOT_AVAILABLE = "55P03";

/** Hosted Supabase serves the data API itself. */
const NOTHING: Catalogue = { relations: new Map(), routines: new Map() };

async function ensureRolesAndPublication(sql: Sql): Promise<void> {
  const [me] = await sql`select rolsuper from pg_roles where rolname = current_user`;
  // On an external server the administrator has run this script.
  if (me?.rolsuper) await sql.unsafe(await readFile(PREPARE_SCRIPT, "utf8"));
  await sql`
    do $$
    begin
      if not exists (select from pg_publication where pubname = 'supabase_realtime') then
        create publication supabase_realtime;
      end if;
      grant usage on schema public to anon, authenticated, service_role;
    end
    $$`;
}
