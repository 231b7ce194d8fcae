// `npm run doctor`: tries every configured external service and says how to fix what fails. It changes nothing, sends
// no messages and makes no paid requests. It calls PING_URL once.
import { withTimeout } from "#platform/timing.ts";
import type { Settings } from "../config.ts";
import { secretsAmong } from "../secret-settings.ts";
import { checkMapTiles } from "./check-map-tiles.ts";
import { checkMiniApp } from "./check-mini-app.ts";
import { type Check, type Finding, ok, wrong } from "./finding.ts";
import { checkSupabase } from "./hosted-checks.ts";
import { checkOperatorChat, checkPing, checkRoutes } from "./operator-checks.ts";
import { checkBackups, checkClock, checkData, checkDatabase } from "./own-checks.ts";
import {
  checkDataApi,
  checkGoogle,
  checkMailbox,
  checkMailDomain,
  checkSearchByUrl,
  checkSmtp,
  checkTelegram,
  checkTelegramLogin,
} from "./service-checks.ts";

const CHECKS: Record<string, Check> = {
  "data folder": checkData,
  database: checkDatabase,
  backups: checkBackups,
  clock: checkClock,
  "mail out (SMTP)": checkSmtp,
  Telegram: checkTelegram,
  "data API": checkDataApi,
  "search by URL": checkSearchByUrl,
  "mail in (MX)": checkMailDomain,
  "mailbox (IMAP)": checkMailbox,
  Google: checkGoogle,
  "Telegram sign-in": checkTelegramLogin,
  "Mini App": checkMiniApp,
  "hosted Supabase": checkSupabase,
  "travel times": checkRoutes,
  "operator's chat": checkOperatorChat,
  "dead man's switch": checkPing,
  "map tiles": checkMapTiles,
};

const CHECK_WITHIN_MS = 15_000;

export type Row = Finding & { name: string };

export async function runDoctor({ mistakes, unknown, usable }: Settings): Promise<Row[]> {
  const faults = [...mistakes, ...unknown];
  const settings = faults.length > 0 ? faults.map(wrong) : [ok("complete")];
  const found = await Promise.all(
    Object.entries(CHECKS).map(async ([name, check]) => ({ name, ...(await findingOf(check, usable)) })),
  );
  const redact = createRedactor(usable);
  const rows = [...settings.map((finding) => ({ name: "settings", ...finding })), ...found];
  return rows.map((row) => ({ ...row, words: redact(row.words) }));
}

/** Redacts secrets that a service or driver repeats, because operators share this output. */
function createRedactor(usable: Settings["usable"]): (words: string) => string {
  const secrets = secretsAmong(usable);
  return (words) => secrets.reduce((text, secret) => text.replaceAll(secret, "…"), words);
}

async function findingOf(check: Check, usable: Settings["usable"]): Promise<Finding> {
  try {
    return await withTimeout(CHECK_WITHIN_MS, check(usable));
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
}

export function areAllWorking(rows: readonly Row[]): boolean {
  return rows.every(({ state }) => state !== "wrong");
}

export function tableOf(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows
    .map(({ name, state, words }) => `${name.padEnd(width)}  ${state.padEnd(7)}  ${words}`)
    .join("\n");
}
