import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { POSTGRES_MAJOR, requirePostgresBinaries } from "#backend/postgres/binaries.ts";
import { startEmbeddedPostgres, versionOf } from "#backend/postgres/embedded-postgres.ts";
import { prepareDatabase } from "#backend/prepare-database.ts";
import { loadSecrets } from "#backend/secrets.ts";
import { binariesIn } from "#test/postgres/installed-postgres.ts";
import { openDataFolder } from "../start/data-folder.ts";
import { clusterOf, withDatabase } from "./open-database.ts";
import { runOps } from "./run-ops.ts";

const NOW = new Date("2026-11-16T12:00:00Z");

async function using<Result>(url: string, act: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  return act(sql).finally(() => sql.end({ timeout: 1 }));
}

// Binaries of another major version are not always available. Without OLD_POSTGRES_PROGRAMS the current ones stand for
// the old ones; the rows are copied as text by SQL either way.
test("SERV-06 the embedded database is taken over by other programs with all that it held, and the old folder stays", {
  tags: "long",
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "sereno-upgrade-"));
  const settings = { databaseUrl: undefined, dataDir: join(folder, "data") };
  const ops = async (...args: string[]) => JSON.parse(await runOps([...args, "--json"], settings, NOW));
  const old = await oldPrograms();
  try {
    await expect(ops("status")).rejects.toThrow("There is no database in");
    await openDataFolder(settings.dataDir);
    const { databasePassword: password } = await loadSecrets(settings.dataDir);
    const server = await startEmbeddedPostgres({ folder: clusterOf(settings), password, binaries: old });
    await prepareDatabase({ databaseUrl: server.url, migrationsFolder: "supabase/migrations" });
    await using(
      server.url,
      (sql) =>
        sql`insert into watch.source_defects (source, kind, reason, amount) values ('official', 'gap', 'one', 1)`,
    );
    await server.stop();
    if (old.major !== String(POSTGRES_MAJOR)) {
      await expect(ops("status")).rejects.toThrow(`was written by PostgreSQL ${old.major}`);
    }
    await expect(ops("upgrade", "--from", folder)).rejects.toThrow("no program named postgres");
    const upgraded = await ops("upgrade", "--from", dirname(old.postgres));
    expect(upgraded).toMatchObject({ from: old.major, to: String(POSTGRES_MAJOR) });
    expect(await versionOf(upgraded.kept)).toBe(old.major);
    expect(await versionOf(clusterOf(settings))).toBe(String(POSTGRES_MAJOR));
    await expect(ops("restore", old.postgres)).rejects.toThrow("is not a complete backup");
    const reasons = await withDatabase(settings, (url) =>
      using(url, (sql) => sql`select reason from watch.source_defects`),
    );
    expect(reasons).toEqual([{ reason: "one" }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function oldPrograms() {
  // biome-ignore lint/style/noProcessEnv: a folder for a run by hand is given to this test alone
  const folder = process.env.OLD_POSTGRES_PROGRAMS ?? dirname((await requirePostgresBinaries()).postgres);
  return binariesIn(folder);
}
