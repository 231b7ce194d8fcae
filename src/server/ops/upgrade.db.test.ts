import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { requirePostgresBinaries } from "#backend/postgres/binaries.ts";
import { prepareDatabase } from "#backend/prepare-database.ts";
import { withDatabase, withOwnServer } from "./open-database.ts";
import { runOps } from "./run-ops.ts";

const NOW = new Date("2026-11-16T12:00:00Z");

async function using<Result>(url: string, act: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  return act(sql).finally(() => sql.end({ timeout: 1 }));
}

// The programs of another major version are not at hand in every place that runs the tests: here the old ones are the
// same as the new ones. Rows travel as text, by SQL alone.
test("SERV-06 the embedded database is taken over by other programs with all that it held, and the old folder stays", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sereno-upgrade-"));
  const settings = { databaseUrl: undefined, dataDir: join(folder, "data") };
  const ops = async (...args: string[]) => JSON.parse(await runOps([...args, "--json"], settings, NOW));
  try {
    await expect(ops("status")).rejects.toThrow("There is no database in");
    await withOwnServer(settings, async (url) => {
      await prepareDatabase({ databaseUrl: url, migrationsFolder: "supabase/migrations" });
      await using(
        url,
        (sql) =>
          sql`insert into watch.losses (source, kind, reason, amount) values ('official', 'gap', 'one', 1)`,
      );
    });
    const { postgres: program } = await requirePostgresBinaries();
    await expect(ops("upgrade", "--from", folder)).rejects.toThrow("no program named postgres");
    const { kept } = await ops("upgrade", "--from", dirname(program));
    expect(await readFile(join(kept, "PG_VERSION"), "utf8")).toMatch(/^\d+\n$/);
    await expect(ops("restore", program)).rejects.toThrow("is no whole backup");
    const reasons = await withDatabase(settings, (url) =>
      using(url, (sql) => sql`select reason from watch.losses`),
    );
    expect(reasons).toEqual([{ reason: "one" }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
