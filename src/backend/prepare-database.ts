import postgres from "postgres";
import { completeAuthSchema } from "./auth/auth-schema.ts";
import { applyMigrations } from "./migrate.ts";
import { StartError } from "./postgres/start-error.ts";
import { installRealtime, type WatchedTables } from "./realtime/realtime-schema.ts";
import { findSchemaFaults } from "./schema-faults.ts";
import { hasSchemaParts, recordSchemaParts } from "./schema-parts.ts";
import type { SupabaseLite } from "./supabase-lite.ts";

/** Brings a database to today's schema: what a hosted Supabase has from its birth, then our migrations. */
export async function prepareDatabase(options: {
  databaseUrl: string;
  migrationsFolder: string;
  lite: SupabaseLite;
}): Promise<{ applied: string[]; realtimeTables: WatchedTables }> {
  const sql = postgres(options.databaseUrl, { max: 2, onnotice: () => {} });
  try {
    const faults = await findSchemaFaults(sql, options.migrationsFolder);
    if (faults.length > 0) throw new StartError(faults.join(" "));
    await ensureRolesAndPublication(sql);
    await options.lite.ensureSystemSchema();
    await completeAuthSchema(sql);
    const applied = await applyMigrations(sql, options.migrationsFolder);
    if (applied.length > 0 || !(await hasSchemaParts(sql))) await recordSchemaParts(sql);
    return { applied, realtimeTables: await installRealtime(sql) };
  } finally {
    await sql.end();
  }
}

async function ensureRolesAndPublication(sql: postgres.Sql): Promise<void> {
  // Two processes may start on one database at the same moment, and `create role` knows no `if not exists`.
  await sql`
    do $$
    begin
      perform pg_advisory_xact_lock(7370003);
      if not exists (select from pg_roles where rolname = 'anon') then
        create role anon nologin noinherit;
      end if;
      if not exists (select from pg_roles where rolname = 'authenticated') then
        create role authenticated nologin noinherit;
      end if;
      if not exists (select from pg_roles where rolname = 'service_role') then
        create role service_role nologin noinherit bypassrls;
      end if;
      if not exists (select from pg_publication where pubname = 'supabase_realtime') then
        create publication supabase_realtime;
      end if;
      grant usage on schema public to anon, authenticated, service_role;
    end
    $$`;
}
