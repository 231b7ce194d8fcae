import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { requirePostgresBinaries } from "#backend/postgres/binaries.ts";
import { databaseUrlOf, startServerProcess } from "#test/server-process.ts";
import { runOps } from "./run-ops.ts";

const NOW = new Date("2026-11-16T12:00:00Z");

// The programs of another major version are not at hand in every place that runs the tests: here the old ones are the
// same as the new ones, in another folder. Rows travel as text, by SQL alone.
test("SERV-06 the embedded database is taken over by other programs with all that it held, and the old folder stays", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sereno-upgrade-"));
  const dataDir = join(folder, "data");
  const settings = { databaseUrl: undefined, dataDir };
  const ops = async (...args: string[]) => JSON.parse(await runOps([...args, "--json"], settings, NOW));
  const write = async (use: (sql: postgres.Sql) => Promise<unknown>) => {
    const server = await startServerProcess({ DATA_DIR: dataDir, ROLES: "mail" });
    const sql = postgres(await databaseUrlOf(dataDir), { max: 1, onnotice: () => {} });
    try {
      return await use(sql);
    } finally {
      await sql.end({ timeout: 1 });
      server.child.kill("SIGTERM");
      await server.exited;
    }
  };
  try {
    await write(async (sql) => {
      await sql`insert into watch.losses (source, kind, reason, amount) values ('official', 'gap', 'one', 1)`;
      await expect(ops("restore", join(folder, "none"))).rejects.toThrow("already running");
      await ops("backup", join(folder, "running.backup"));
    });
    const { postgres: program } = await requirePostgresBinaries();
    const programs = join(folder, "old", "native", "bin");
    await mkdir(dirname(programs), { recursive: true });
    await cp(join(dirname(program), ".."), join(folder, "old", "native"), { recursive: true });
    const { kept } = await ops("upgrade", "--from", programs);
    expect(await readFile(join(kept, "PG_VERSION"), "utf8")).toMatch(/^\d+\n$/);
    expect(await readdir(dataDir)).toEqual(expect.arrayContaining(["postgres", "secrets.json"]));
    const reasons = await write((sql) => sql`select reason from watch.losses`);
    expect(reasons).toEqual([{ reason: "one" }]);
    await expect(ops("upgrade", "--from", join(folder, "nowhere"))).rejects.toThrow(
      "no program named postgres",
    );
    // What fails halfway leaves the database as it was.
    await expect(ops("restore", join(programs, "postgres"))).rejects.toThrow("is no whole backup");
    expect(await write((sql) => sql`select reason from watch.losses`)).toEqual([{ reason: "one" }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
