import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { startTestProduct } from "#test/test-product.ts";
import { readBackup, requireWhole } from "./backup-file.ts";
import { makeDueBackup } from "./daily-backups.ts";

const HOUR_MS = 3_600_000;
const patience = { timeout: 60_000, interval: 20 };

async function makeFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "sereno-daily-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  return join(parent, "backups");
}

test("RUN-04 a process with BACKUP_DIR makes a whole backup at its first start, and two processes make one", async () => {
  const folder = await makeFolder();
  const token = "a-token-for-metrics-0123456789";
  const first = await startTestProduct({ BACKUP_DIR: folder, METRICS_TOKEN: token });
  const second = await startTestProduct({ BACKUP_DIR: folder, DATABASE_URL: first.database.url });
  const made = async () => (await readdir(folder).catch(() => [])).filter((name) => !name.endsWith(".part"));
  await expect.poll(async () => (await made()).length, patience).toBe(1);
  // Nothing waits any more, so that no second one follows.
  const jobs = () =>
    first.database.sql`select from pgboss.job where name = 'daily-backup' and state <> 'completed'`;
  await expect.poll(async () => (await jobs()).length, patience).toBe(0);
  const [name = "", ...more] = await made();
  expect([name, more]).toEqual([expect.stringMatching(/^sereno-\d{4}-\d\d-\d\dT\d{4}Z\.backup$/), []]);
  await requireWhole(join(folder, name));
  expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
  const headers = { authorization: `Bearer ${token}` };
  const metrics = await (await fetch(`${first.url}/metrics`, { headers })).text();
  expect(metrics).toMatch(/^sereno_backup_age_seconds \d{1,3}(?:\.\d+)?$/m);
  expect(metrics).toContain(`sereno_backup_size_bytes ${(await stat(join(folder, name))).size}\n`);
  await second.stop();
  await first.stop();
});

test("RUN-04 one backup a day is made, the last ones are kept, and a failure is an incident until the next success", async () => {
  const database = await createTestDatabase();
  const sql = openDatabase({ url: database.url, max: 2 });
  const folder = await makeFolder();
  const clock = { now: Date.parse("2026-11-16T04:17:00Z") };
  const make = (keep: number, into = folder) =>
    makeDueBackup({
      ...{ sql, databaseUrl: database.url, backups: { folder: into, keep }, now: () => clock.now },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    });
  const incidents = () => sql`select kind from watch.incidents where over_at is null`;
  await make(2);
  clock.now += 23 * HOUR_MS;
  await make(2);
  expect(await readdir(folder)).toEqual(["sereno-2026-11-16T0417Z.backup"]);
  await writeFile(join(folder, "before-the-move.backup"), "the operator's own");
  for (const hours of [1, 24, 24]) {
    clock.now += hours * HOUR_MS;
    await make(2);
  }
  expect((await readdir(folder)).toSorted()).toEqual([
    "before-the-move.backup",
    "sereno-2026-11-18T0417Z.backup",
    "sereno-2026-11-19T0417Z.backup",
  ]);
  const backup = await readBackup(join(folder, "sereno-2026-11-19T0417Z.backup"));
  expect(backup.header.madeAt).toBe("2026-11-19T04:17:00.000Z");
  backup.close();
  clock.now += 24 * HOUR_MS;
  await expect(make(2, "/dev/null/backups")).rejects.toThrow();
  expect(await incidents()).toEqual([{ kind: "backup" }]);
  await make(2);
  expect(await incidents()).toEqual([]);
  await sql.end({ timeout: 1 });
  await database.drop();
});
