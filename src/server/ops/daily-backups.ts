// Backups by the product itself: one a day, by one of the processes that have a folder for them.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";
import { makePrivateFolder } from "#backend/secrets.ts";
import type { Logger } from "#core/ports/logger.ts";
import type { Jobs, Queue } from "#platform/database/jobs.ts";
import { closeIncident, openIncident } from "../monitoring/rows/incidents.ts";
import { backUp } from "./backup.ts";
import { isBackupDue, noteBackup, noteBackupWanted } from "./rows/backups.ts";

/** Looked at every hour, so that a backup missed while nothing ran is soon made. */
const DAILY_BACKUP: Queue<object> = {
  name: "daily-backup",
  retryLimit: 0,
  cron: "17 * * * *",
  expireInSeconds: 6 * 3600,
  keyOf: () => "all",
};
/** Less than a day, so that the time of day does not move on by an hour each day. */
const DUE_AFTER_HOURS = 23.5;
const OURS = /^sereno-\d{4}-\d\d-\d\dT\d{4}Z\.backup$/;

export const isDailyBackup = (name: string) => OURS.test(name);

const INCIDENT = { kind: "backup", subject: "" } as const;

export type DailyBackupsOptions = {
  sql: Sql;
  databaseUrl: string;
  jobs: Jobs;
  logger: Logger;
  backups: { folder: string; keep: number };
  now: () => number;
};

export async function startDailyBackups(options: DailyBackupsOptions): Promise<void> {
  const { jobs } = options;
  await noteBackupWanted(options.sql, new Date(options.now()));
  await jobs.work(DAILY_BACKUP, () => makeDueBackup(options));
  await jobs.send(DAILY_BACKUP, [{}]);
}

/** Makes a backup if the last is a day old, and removes those beyond the number to keep. */
export async function makeDueBackup(options: Omit<DailyBackupsOptions, "jobs">): Promise<void> {
  const { sql, databaseUrl, logger, backups } = options;
  const now = new Date(options.now());
  await noteBackupWanted(sql, now);
  if (!(await isBackupDue(sql, DUE_AFTER_HOURS, now))) return;
  const name = `sereno-${now.toISOString().slice(0, 16).replaceAll(":", "")}Z.backup`;
  try {
    await makePrivateFolder(backups.folder);
    const path = join(backups.folder, name);
    await backUp(databaseUrl, path, now);
    await noteBackup(sql, (await stat(path)).size, now);
    await removeOldest(backups);
  } catch (error) {
    await openIncident(sql, INCIDENT, now);
    throw error;
  }
  await closeIncident(sql, INCIDENT, now);
  logger.info({ file: name }, "made the daily backup");
}

/** Files with other names are the operator's own. */
async function removeOldest({ folder, keep }: DailyBackupsOptions["backups"]): Promise<void> {
  const ours = (await readdir(folder)).filter(isDailyBackup).toSorted();
  for (const name of ours.slice(0, -keep)) await rm(join(folder, name));
}
