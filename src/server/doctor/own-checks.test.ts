import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkBackups } from "./own-checks.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sereno-backups-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const EXTERNAL = "postgres://sereno@db.example/sereno";
const check = (settings: object) => checkBackups({ BACKUP_DIR: folder, BACKUP_KEEP: 14, ...settings });

test("RUN-11 doctor says for backups what is missing: the folder, another disk, room, a recent one", async () => {
  expect(await checkBackups({})).toMatchObject({ state: "not set" });
  expect(await check({ BACKUP_DIR: "/proc/backups" })).toEqual({
    state: "wrong",
    words: "/proc/backups cannot be created and written (ENOENT): set BACKUP_DIR to another folder",
  });
  expect(await check({ DATA_DIR: join(folder, "..") })).toEqual({
    state: "wrong",
    words: `${folder} is on the same disk as DATA_DIR: set BACKUP_DIR to a folder on another disk`,
  });
  expect(await check({ DATABASE_URL: EXTERNAL })).toEqual({
    state: "ok",
    words: expect.stringMatching(/GB free in .*; no backup there yet$/),
  });
  const backup = join(folder, "sereno-2026-11-01T0017Z.backup");
  await writeFile(backup, "x");
  expect(await check({ DATABASE_URL: EXTERNAL })).toEqual({
    state: "ok",
    words: expect.stringMatching(/^the last of 1 was made 0 hours ago/),
  });
  const twoDaysAgo = (Date.now() - 48 * 3_600_000) / 1000;
  await utimes(backup, twoDaysAgo, twoDaysAgo);
  expect(await check({ DATABASE_URL: EXTERNAL })).toEqual({
    state: "wrong",
    words: `the last backup in ${folder} is 48 hours old: see the log of the process with BACKUP_DIR`,
  });
});
