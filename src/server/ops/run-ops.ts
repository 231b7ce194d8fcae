// The operator's commands. Each returns facts, printed as lines or, with --json, as one object.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Sql } from "postgres";
import { versionOf } from "#backend/postgres/embedded-postgres.ts";
import { resetPassword } from "#backend/postgres/reset-password.ts";
import { StartError } from "#backend/postgres/start-error.ts";
import { writeNewSecrets } from "#backend/secrets.ts";
import { rotateServerKeys } from "#backend/server-keys.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { readSettings } from "../config.ts";
import { readFigures } from "../monitoring/rows/figures.ts";
import { backUp } from "./backup.ts";
import { clusterOf, type OpsSettings, withDatabase } from "./open-database.ts";
import { restore } from "./restore.ts";
import {
  drainAlerts,
  findPerson,
  pauseAll,
  pausePerson,
  readSecurityEvents,
  resendAlerts,
  retryAlerts,
  suspendPerson,
  type Whom,
} from "./rows/operator-acts.ts";
import { showSettings } from "./show-settings.ts";
import { restoreEmbedded, upgrade } from "./upgrade.ts";

const MIGRATIONS = fileURLToPath(new URL("../../../supabase/migrations", import.meta.url));

export const USAGE = `npm run ops -- <command> [--json]
  status                        how the service is doing
  config                        the settings in effect, without secrets
  find <email>                  what is known about a person
  events [<email>]              the last security events of a person, or of everybody
  pause <email> | --all         no checks and no alerts; --all stops everything until resume --all
  resume <email> | --all
  suspend <email>               signed out everywhere, and cannot sign in
  unsuspend <email>
  retry <email> | --all         what could not be delivered in the last day; with --all waiting emails too
  resend <email> [--count n]    a person's last alerts again
  drain <email> | --all         discards what waits to be sent
  rotate-keys                   new keys for every process at once; the old ones are accepted for a day
    [--now]                     not at all: pages renew their tokens, and are loaded again
    [--end-sessions]            everybody is signed out
  backup <file>                 everything, as of one moment; Sereno can keep running
  restore <file>                into the embedded database, which is kept aside, or into an empty DATABASE_URL
  new-password                  for the embedded database, if secrets.json was lost
  upgrade --from <folder>       the embedded database, from the version whose programs are in the folder
An account without an email address is named telegram:<Telegram user id>.`;

export type Facts = Record<string, unknown>;

type Call = {
  settings: OpsSettings;
  subject: string | undefined;
  isAll: boolean;
  count: number;
  from: string | undefined;
  isNow: boolean;
  endsSessions: boolean;
  now: Date;
};

type Command = (call: Call) => Promise<Facts>;

const onDatabase =
  (act: (sql: Sql, call: Call) => Promise<Facts>): Command =>
  (call) =>
    withDatabase(call.settings, async (url) => {
      const sql = openDatabase({ url, max: 4 });
      try {
        return await act(sql, call);
      } finally {
        await sql.end({ timeout: 1 });
      }
    });

const personOf = async (sql: Sql, { subject, isAll }: Call) => {
  if (isAll) throw new StartError("This command takes one person: leave out --all.");
  if (subject === undefined) throw new StartError("Name the person by their email address.");
  const person = await findPerson(sql, subject);
  if (!person) throw new StartError("Nobody has an account with this email address; nothing was changed.");
  return person;
};

const whomOf = async (sql: Sql, call: Call): Promise<Whom> => {
  if (call.isAll === (call.subject !== undefined)) {
    throw new StartError(
      "Name one person by their email address, or everybody with --all; nothing was changed.",
    );
  }
  return { userId: call.isAll ? undefined : (await personOf(sql, call)).userId };
};

const pausing = (isPaused: boolean) =>
  onDatabase(async (sql, call) => {
    const { userId } = await whomOf(sql, call);
    const changed = userId ? await pausePerson(sql, userId, isPaused) : await pauseAll(sql, isPaused);
    return { changed };
  });

const suspending = (isSuspended: boolean) =>
  onDatabase(async (sql, call) => {
    await suspendPerson(sql, (await personOf(sql, call)).userId, isSuspended);
    return { suspended: isSuspended };
  });

const COMMANDS: Readonly<Record<string, Command>> = {
  status: onDatabase(async (sql, { now }) => {
    const [pause] = await sql`select since from watch.pause`;
    return { pausedSince: pause?.since ?? null, ...(await readFigures(sql, now)) };
  }),
  config: async () => showSettings(readSettings({})),
  find: onDatabase(async (sql, call) => ({ ...(await personOf(sql, call)) })),
  events: onDatabase(async (sql, call) => {
    const userId = call.subject === undefined ? undefined : (await personOf(sql, call)).userId;
    return { events: await readSecurityEvents(sql, { userId }) };
  }),
  pause: pausing(true),
  resume: pausing(false),
  suspend: suspending(true),
  unsuspend: suspending(false),
  retry: onDatabase(async (sql, call) => ({ ...(await retryAlerts(sql, await whomOf(sql, call))) })),
  resend: onDatabase(async (sql, call) => ({
    alerts: await resendAlerts(sql, (await personOf(sql, call)).userId, call.count),
  })),
  drain: onDatabase(async (sql, call) => ({ alerts: await drainAlerts(sql, await whomOf(sql, call)) })),
  "rotate-keys": onDatabase(async (sql, { isNow, endsSessions }) => {
    const oldKeys = isNow ? "revoked" : "accepted for a day";
    return { oldKeys, ...(await rotateServerKeys(sql, { isRevoking: isNow, endSessions: endsSessions })) };
  }),
  backup: ({ settings, subject, now }) =>
    withDatabase(
      settings,
      async (url) => {
        const file = fileOf(settings, subject);
        return { file, ...(await backUp(url, file, now)) };
      },
      { isAnySchema: true },
    ),
  restore: async ({ settings, subject, now }) => {
    const path = fileOf(settings, subject);
    const { databaseUrl } = settings;
    const restored = databaseUrl
      ? await restore({ databaseUrl, path, migrationsFolder: MIGRATIONS })
      : await restoreEmbedded({ ...settings, migrationsFolder: MIGRATIONS, now }, path);
    return { file: path, ...restored };
  },
  "new-password": async ({ settings }) => {
    if (settings.databaseUrl)
      throw new StartError("DATABASE_URL is set: its server keeps its own passwords.");
    const folder = clusterOf(settings);
    if ((await versionOf(folder)) === undefined) throw new StartError(`There is no database in ${folder}.`);
    await writeNewSecrets(settings.dataDir, ({ databasePassword }) =>
      resetPassword(folder, databasePassword),
    );
    return { file: join(settings.dataDir, "secrets.json") };
  },
  upgrade: async ({ settings, from, now }) => {
    if (from === undefined) throw new StartError("Name the folder of the old programs with --from.");
    const programs = resolve(settings.calledFrom ?? "", from);
    return upgrade({ ...settings, programs, migrationsFolder: MIGRATIONS, now });
  },
};

/** npm changes the current folder, so paths are taken from where the command was called. */
function fileOf({ calledFrom = "" }: OpsSettings, subject: string | undefined): string {
  if (subject === undefined) throw new StartError("Name the file of the backup.");
  return resolve(calledFrom, subject);
}

export async function runOps(args: string[], settings: OpsSettings, now: Date): Promise<string> {
  const { positionals, values } = parse(args);
  const [name = "", subject, ...more] = positionals;
  const command = COMMANDS[name];
  if (!command || more.length > 0) throw new StartError(USAGE);
  const { json = false, all = false, from, count = "1", now: isNow = false } = values;
  if (!/^[1-9]\d?$/.test(count)) throw new StartError("--count is a number from 1 to 99.");
  const facts = await command({
    ...{ settings, subject, isAll: all, count: Number(count), from, now, isNow },
    endsSessions: values["end-sessions"] ?? false,
  });
  return json ? JSON.stringify(facts) : linesOf(facts);
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        all: { type: "boolean" },
        count: { type: "string" },
        from: { type: "string" },
        now: { type: "boolean" },
        "end-sessions": { type: "boolean" },
      },
    });
  } catch (cause) {
    throw new StartError(USAGE, { cause });
  }
}

function linesOf(facts: Facts): string {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(width)}  ${wordsOf(value)}`)
    .join("\n");
}

function wordsOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) && value.every(isRow)) {
    return value.map((row) => `\n  ${Object.values(row).map(wordsOf).join("  ")}`).join("") || "–";
  }
  return isRow(value) ? JSON.stringify(value) : String(value ?? "–");
}

const isRow = (value: unknown): value is object => typeof value === "object" && value !== null;
