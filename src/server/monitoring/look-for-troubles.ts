import type { Sql } from "postgres";
import type { Queue } from "#platform/database/jobs.ts";
import { endTrouble, findSourceTroubles, noteTrouble, setTroubles, tellTroubles } from "#store/troubles.ts";
import { askTelegramWhoWeAre } from "../bot-name.ts";
import { notifyOperator, type TellOperatorOptions } from "./notify-operator.ts";

/** Run by processes that have the bot's token, one at a time. */
export const LOOK_FOR_TROUBLES: Queue<object> = {
  name: "look-for-troubles",
  retryLimit: 0,
  cron: "* * * * *",
  keyOf: () => "all",
};

/** Checks the state shared by all processes, and notifies the operator of new and resolved incidents. */
export async function lookForTroubles(sql: Sql, options: TellOperatorOptions, now: Date): Promise<void> {
  const { quota, source } = await findSourceTroubles(sql, now);
  await setTroubles(sql, { kind: "quota", subjects: quota }, now);
  await setTroubles(sql, { kind: "source", subjects: source }, now);
  const { kind } = await askTelegramWhoWeAre(options.telegram);
  const token = { kind: "token", subject: "" } as const;
  if (kind === "refused") await noteTrouble(sql, token, now);
  if (kind === "known") await endTrouble(sql, token, now);
  await tellTroubles(sql, (notice) => notifyOperator(options, notice), now);
}
