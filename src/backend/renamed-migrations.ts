// The first migrations were dated December 2026, so a file with an ordinary date would have run before them. They were
// renamed to plain numbers once. Databases and backups made before that are carried over.

import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";

const NEW_VERSIONS = new Map([
  ["20261201000100", "0001"],
  ["20261201000200", "0002"],
  ["20261201000300", "0003"],
  ["20261201000400", "0004"],
  ["20261201000500", "0005"],
  ["20261201000600", "0006"],
  ["20261201000700", "0007"],
  ["20261201000800", "0008"],
  ["20261201000900", "0009"],
  ["20261201001000", "0010"],
  ["20261201001100", "0011"],
  ["20261201001200", "0012"],
  ["20261201001300", "0013"],
  ["20261201001400", "0014"],
  ["20261201001500", "0015"],
  ["20261201001600", "0016"],
  ["20261201002800", "0017"],
  ["20261201002900", "0018"],
  ["20261201003000", "0019"],
  ["20261201003100", "0020"],
  ["20261201003200", "0021"],
  ["20261201003300", "0022"],
  ["20261201003310", "0023"],
  ["20261201003320", "0024"],
  ["20261201003330", "0025"],
  ["20261201003400", "0026"],
]);

/** The version under which a migration is known today. */
export const currentVersion = (version: string): string => NEW_VERSIONS.get(version) ?? version;

/** Renames the history of an existing database in one transaction, with the version that its fingerprints name. */
export async function renameHistory(sql: Sql): Promise<void> {
  await inTransaction(sql, async (db) => {
    const [found] = await db`
      select to_regclass('supabase_migrations.schema_migrations') is not null as history,
        to_regclass('supabase_migrations.sereno_parts') is not null as parts`;
    if (!found?.history) return;
    const renamed = db`(select * from unnest(
      string_to_array(${[...NEW_VERSIONS.keys()].join()}, ','),
      string_to_array(${[...NEW_VERSIONS.values()].join()}, ',')
    ) as pair (before, after))`;
    await db`
      update supabase_migrations.schema_migrations as applied set version = renamed.after
      from ${renamed} as renamed
      where applied.version = renamed.before`;
    if (!found.parts) return;
    await db`
      update supabase_migrations.sereno_parts as known
      set written_by = split_part(known.written_by, ' ', 1) || ' ' || renamed.after
      from ${renamed} as renamed
      where split_part(known.written_by, ' ', 2) = renamed.before`;
  });
}
