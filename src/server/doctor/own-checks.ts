import { readdir, stat, statfs } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MOST_SKEW_MS } from "#platform/database/database-clock.ts";
import { fetchBotIdentity } from "../bot-name.ts";
import type { UsableSettings } from "../config.ts";
import { isDailyBackup } from "../ops/daily-backups.ts";
import { askOnce, findRunningUrl } from "../ops/open-database.ts";
import { openDataFolder } from "../start/data-folder.ts";
import { findServerFaults } from "../start/start-faults.ts";
import { type Check, notSet, ok, wrong } from "./finding.ts";

const GB = 1024 ** 3;
const LEAST_FREE_BYTES = GB;

export const checkData: Check = async ({ DATA_DIR, DATABASE_URL }) => {
  if (DATABASE_URL !== undefined) return notSet("the database keeps everything");
  if (DATA_DIR === undefined) return wrong("set DATA_DIR");
  const folder = resolve(DATA_DIR);
  await openDataFolder(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = `${((bavail * bsize) / GB).toFixed(1)} GB free in ${folder}`;
  return bavail * bsize < LEAST_FREE_BYTES ? wrong(`only ${free}; make room, or move DATA_DIR`) : ok(free);
};

/** Daily backups: whether they can be written, and whether they would survive what ends the data. */
export const checkBackups: Check = async ({ BACKUP_DIR, BACKUP_KEEP = 14, DATA_DIR, DATABASE_URL }) => {
  if (BACKUP_DIR === undefined) return notSet("no BACKUP_DIR: nothing is backed up by itself");
  const folder = resolve(BACKUP_DIR);
  try {
    await openDataFolder(folder);
  } catch (error) {
    const code = error instanceof Error ? codeOfCause(error) : "";
    return wrong(`${folder} cannot be created and written (${code}): set BACKUP_DIR to another folder`);
  }
  if (DATABASE_URL === undefined && DATA_DIR !== undefined && (await isSameDisk(folder, resolve(DATA_DIR)))) {
    return wrong(`${folder} is on the same disk as DATA_DIR: set BACKUP_DIR to a folder on another disk`);
  }
  const backups = await ownBackups(folder);
  const last = backups.at(-1);
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const neededBytes = (last?.sizeBytes ?? 0) * Math.max(1, BACKUP_KEEP - backups.length);
  if (freeBytes < Math.max(neededBytes, GB)) {
    return wrong(
      `only ${inGb(freeBytes)} GB free in ${folder}: make room, or lower BACKUP_KEEP (${BACKUP_KEEP})`,
    );
  }
  if (last === undefined) return ok(`${inGb(freeBytes)} GB free in ${folder}; no backup there yet`);
  const hours = Math.round((Date.now() - last.madeAt) / 3_600_000);
  if (hours > LATE_HOURS) {
    return wrong(
      `the last backup in ${folder} is ${hours} hours old: see the log of the process with BACKUP_DIR`,
    );
  }
  return ok(
    `the last of ${backups.length} was made ${hours} hours ago; ${inGb(freeBytes)} GB free in ${folder}`,
  );
};

const LATE_HOURS = 26;
const inGb = (bytes: number) => (bytes / GB).toFixed(1);

function codeOfCause({ cause }: Error): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
}

async function isSameDisk(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(one), stat(other).catch(() => undefined)]);
  return first.dev === second?.dev;
}

async function ownBackups(folder: string) {
  const names = (await readdir(folder)).filter((name) => isDailyBackup(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name));
      return { sizeBytes: size, madeAt: mtimeMs };
    }),
  );
}

export const checkDatabase: Check = async (settings) => {
  const url = await databaseUrlOf(settings);
  if (url === undefined) return notSet("the embedded one, which starts with the product");
  const faults = await findServerFaults(settings);
  if (faults.length > 0) return wrong(faults.join(" "));
  const { version, size } = await askOnce<{ version: string; size: string }>(
    url,
    "select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size",
  );
  return ok(`PostgreSQL ${version}, ${size}`);
};

export const checkClock: Check = async (settings) => {
  const times = await Promise.all([databaseSkew(settings), telegramSkew(settings)]);
  const skews = times.filter((skew) => skew !== undefined);
  if (skews.length === 0) return notSet("nothing to compare it with");
  const worst = Math.max(...skews.map(Math.abs));
  const words = `within ${Math.round(worst / 1000)} s of the others`;
  return worst > MOST_SKEW_MS
    ? wrong(`${Math.round(worst / 1000)} s off; set this machine's clock from the network (NTP)`)
    : ok(words);
};

async function databaseSkew(settings: UsableSettings): Promise<number | undefined> {
  const url = await databaseUrlOf(settings);
  if (url === undefined) return undefined;
  const query = "select extract(epoch from clock_timestamp())::float8 * 1000 as ms";
  const answer = await askOnce<{ ms: number }>(url, query).catch(() => undefined);
  return answer && answer.ms - Date.now();
}

async function telegramSkew({ TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot }: UsableSettings) {
  if (token === undefined || apiRoot === undefined) return undefined;
  const identity = await fetchBotIdentity({ token, apiRoot });
  return identity.kind === "known" && identity.telegramTime ? identity.telegramTime - Date.now() : undefined;
}

/** Undefined if the database cannot be asked now. */
export async function belongsToAnAccount(
  settings: UsableSettings,
  email: string,
): Promise<boolean | undefined> {
  const url = await databaseUrlOf(settings);
  if (url === undefined) return undefined;
  const query = "select exists (select from auth.users where lower(email) = lower($1)) as found";
  return (await askOnce<{ found: boolean }>(url, query, [email]).catch(() => undefined))?.found;
}

/** Undefined while the embedded database is not running. */
async function databaseUrlOf({ DATABASE_URL, DATA_DIR }: UsableSettings): Promise<string | undefined> {
  if (DATABASE_URL !== undefined || DATA_DIR === undefined) return DATABASE_URL;
  return findRunningUrl(resolve(DATA_DIR));
}
