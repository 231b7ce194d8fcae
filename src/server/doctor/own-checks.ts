import { statfs } from "node:fs/promises";
import { resolve } from "node:path";
import { MOST_SKEW_MS } from "#platform/database/database-clock.ts";
import { fetchBotIdentity } from "../bot-name.ts";
import type { UsableSettings } from "../config.ts";
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
  return bavail * bsize < LEAST_FREE_BYTES ? wrong(`only ${free}; make room`) : ok(free);
};

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

/** Undefined while the embedded database is not running. */
async function databaseUrlOf({ DATABASE_URL, DATA_DIR }: UsableSettings): Promise<string | undefined> {
  if (DATABASE_URL !== undefined || DATA_DIR === undefined) return DATABASE_URL;
  return findRunningUrl(resolve(DATA_DIR));
}
