// Monitors this installation: the machine's disk, incidents in any process, and a dead man's switch.
import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import type { Sql } from "postgres";
import { type DatabaseClock, MOST_SKEW_MS } from "#platform/database/database-clock.ts";
import type { Jobs, Queue } from "#platform/database/jobs.ts";
import { sendOperatorMail } from "../account-mails/send-mails.ts";
import { fetchBotIdentity } from "../bot-name.ts";
import type { Config } from "../config.ts";
import type { ServerLogger } from "../log.ts";
import { isBackupLate } from "../ops/rows/backups.ts";
import type { Counters } from "./counters.ts";
import { type NotifyOperatorOptions, notifyOperator } from "./notify-operator.ts";
import {
  closeIncident,
  findLateSources,
  findSetAsideKinds,
  findSourceIncidents,
  isTelegramAway,
  notifyOfIncidents,
  openIncident,
  setIncidents,
} from "./rows/incidents.ts";

const MIB = 1024 * 1024;
const PING_WITHIN_MS = 10_000;

/** Run by processes that have the bot's token or, where none has a chat to notify, send mail; one at a time. */
const CHECK_INCIDENTS: Queue<object> = {
  name: "check-incidents",
  retryLimit: 0,
  cron: "* * * * *",
  keyOf: () => "all",
};

type MonitoringOptions = {
  config: Config;
  sql: Sql;
  jobs: Jobs;
  logger: ServerLogger;
  counters: Counters;
  clock: DatabaseClock;
  isReady: () => Promise<boolean>;
};

export async function startMonitoring(options: MonitoringOptions): Promise<{ stop: () => void }> {
  const { config, sql, jobs, logger, counters, clock, isReady } = options;
  const { telegram, siteUrl, monitoring } = config;
  const { token, apiRoot } = telegram;
  const { operatorEmail } = monitoring;
  const hasBot = token !== undefined && config.roles.includes("bot");
  // With a chat, only a process with the bot's token can notify it.
  const isMailer = monitoring.operatorChatId === undefined && config.roles.includes("web");
  if (hasBot || isMailer) {
    const notifying = {
      telegram: hasBot ? { token, apiRoot } : undefined,
      chatId: monitoring.operatorChatId,
      sendMail: operatorEmail
        ? (subject: string, text: string) =>
            sendOperatorMail({ jobs, now: clock.now }, { to: operatorEmail, subject, text })
        : undefined,
      siteUrl,
      logger,
    };
    await jobs.work(CHECK_INCIDENTS, () => checkIncidents(sql, notifying, new Date(clock.now())));
  }
  const diskChecks = everyMinute(
    async () =>
      noteDisk(sql, await readDiskSpace(config.databaseUrl ? "." : config.dataDir), new Date(clock.now())),
    (err) => logger.warn({ err }, "could not check the disk space"),
  );
  const clockChecks = everyMinute(
    async () => noteClock(sql, await clock.measure(), new Date(clock.now())),
    (err) => logger.warn({ err }, "could not compare the clock with the database's"),
  );
  const { pingUrl } = monitoring;
  const pings =
    pingUrl === undefined
      ? undefined
      : everyMinute(
          () => sendPing({ url: pingUrl, isReady, onPing: counters.onPing, now: Date.now }),
          (err) => logger.warn({ err }, "the ping was not sent"),
        );
  return {
    stop: () => {
      diskChecks.stop();
      clockChecks.stop();
      pings?.stop();
    },
  };
}

/** Checks the state shared by all processes, and notifies the operator of new and resolved incidents. */
export async function checkIncidents(sql: Sql, options: NotifyOperatorOptions, now: Date): Promise<void> {
  const { quota, source } = await findSourceIncidents(sql, now);
  await setIncidents(sql, { kind: "quota", subjects: quota }, now);
  await setIncidents(sql, { kind: "source", subjects: source }, now);
  await setIncidents(sql, { kind: "late", subjects: await findLateSources(sql, now) }, now);
  await setIncidents(sql, { kind: "set-aside", subjects: await findSetAsideKinds(sql) }, now);
  if (await isBackupLate(sql, now)) await openIncident(sql, { kind: "backup", subject: "" }, now);
  const identity = options.telegram && (await fetchBotIdentity(options.telegram));
  const token = { kind: "token", subject: "" } as const;
  if (identity?.kind === "refused") await openIncident(sql, token, now);
  if (identity?.kind === "known") await closeIncident(sql, token, now);
  if (identity) {
    const isAway = identity.kind === "unreachable" || (await isTelegramAway(sql));
    await (isAway ? openIncident : closeIncident)(sql, { kind: "telegram", subject: "" }, now);
  }
  await notifyOfIncidents(sql, (notice) => notifyOperator(options, notice), now);
}

type DiskSpace = { freeBytes: number; totalBytes: number };

/** Less than a twentieth is free; but 2 GiB are always enough, and 256 MiB never are. */
export function isNearlyFull({ freeBytes, totalBytes }: DiskSpace): boolean {
  return freeBytes < Math.max(256 * MIB, Math.min(totalBytes / 20, 2_048 * MIB));
}

async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

export async function noteDisk(sql: Sql, space: DiskSpace, now: Date): Promise<void> {
  const incident = { kind: "disk", subject: hostname().slice(0, 200) } as const;
  await (isNearlyFull(space) ? openIncident : closeIncident)(sql, incident, now);
}

export async function noteClock(sql: Sql, skewMs: number, now: Date): Promise<void> {
  const incident = { kind: "clock", subject: hostname().slice(0, 200) } as const;
  await (Math.abs(skewMs) > MOST_SKEW_MS ? openIncident : closeIncident)(sql, incident, now);
}

type PingOptions = {
  url: string;
  isReady: () => Promise<boolean>;
  onPing: (at: number) => void;
  now: () => number;
};

/** Calls the dead man's switch while this process is ready; it raises an alarm when calls stop. */
async function sendPing({ url, isReady, onPing, now }: PingOptions): Promise<void> {
  if (!(await isReady())) return;
  // The URL's path is a secret, so the error must not contain it.
  const answer = await fetch(url, { signal: AbortSignal.timeout(PING_WITHIN_MS) }).catch(() => undefined);
  await answer?.body?.cancel();
  if (!answer?.ok) throw new Error(`PING_URL ${answer ? `answers ${answer.status}` : "cannot be reached"}`);
  onPing(now());
}

/** Runs a task now and every minute, never concurrently. For tasks of this process, which cannot be shared jobs. */
function everyMinute(task: () => Promise<void>, onError: (error: unknown) => void) {
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    await task()
      .catch(onError)
      .finally(() => {
        isRunning = false;
      });
  };
  const timer = setInterval(run, 60_000);
  void run();
  return { stop: () => clearInterval(timer) };
}
