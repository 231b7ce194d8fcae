// Monitors this installation: the machine's disk, incidents in any process, and a dead man's switch.
import type { Sql } from "postgres";
import type { Jobs } from "#platform/database/jobs.ts";
import { sendOperatorMail } from "../account-mails/send-mails.ts";
import type { Config } from "../config.ts";
import type { ServerLogger } from "../log.ts";
import type { Counters } from "./counters.ts";
import { noteDisk, readDiskSpace } from "./disk.ts";
import { everyMinute } from "./every-minute.ts";
import { LOOK_FOR_TROUBLES, lookForTroubles } from "./look-for-troubles.ts";
import { sendPing } from "./ping.ts";

type MonitoringOptions = {
  config: Config;
  sql: Sql;
  jobs: Jobs;
  logger: ServerLogger;
  counters: Counters;
  isReady: () => Promise<boolean>;
};

export async function startMonitoring(options: MonitoringOptions): Promise<{ stop: () => void }> {
  const { config, sql, jobs, logger, counters, isReady } = options;
  const { telegram, siteUrl, monitoring } = config;
  const { token, apiRoot } = telegram;
  const { operatorEmail } = monitoring;
  if (token !== undefined && config.roles.includes("bot")) {
    const telling = {
      telegram: { token, apiRoot },
      chatId: monitoring.operatorChatId,
      sendMail: operatorEmail
        ? (subject: string, text: string) =>
            sendOperatorMail({ jobs, now: Date.now }, { to: operatorEmail, subject, text })
        : undefined,
      siteUrl,
      logger,
    };
    await jobs.work(LOOK_FOR_TROUBLES, () => lookForTroubles(sql, telling, new Date()));
  }
  const minute = everyMinute(
    async () => noteDisk(sql, await readDiskSpace(config.databaseUrl ? "." : config.dataDir), new Date()),
    (err) => logger.warn({ err }, "could not check the disk space"),
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
      minute.stop();
      pings?.stop();
    },
  };
}
