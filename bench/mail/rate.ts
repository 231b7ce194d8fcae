// Fifty alert mails a second, fifteen of them to be told, to sixty chats: how long from the door's 250 to Telegram's yes. The
// rest is forged, comes twice, or is no alert. The argument is the seconds.
import { availableParallelism } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { openDatabase } from "#platform/database/open-database.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { makeDkimKey, signMail } from "#test/alert-mails/signed-mail.ts";
import { quantile, startBenchServer } from "../bench-server.ts";
import { until } from "../until.ts";
import { settingsFor } from "../whole-product.ts";
import {
  addMailReaders,
  areWatched,
  createRetryingSender,
  isQuiet,
  type MailReader,
  mailSettings,
  type SignedAlert,
  signedAlert,
  timesTold,
} from "./world.ts";

const SECONDS = Number(process.argv[2] ?? 60);
const MAILS_A_SECOND = 50;
const TOLD_A_SECOND = 15;
const READERS = 60;
const TELEGRAM_MS = 30;
const MAX_P95_MS = 3_000;
const PATIENCE_MS = 120_000;
const DOOR_PORT = 4_459;

const key = makeDkimKey();
const portal = await startPortalSimulator({ size: 500, newPerDay: 0, monthlyRequests: null });
const telegram = await startTelegramSimulator();
const server = await startBenchServer({
  ...settingsFor(portal, telegram),
  ...mailSettings(DOOR_PORT, key),
  CHECK_INTERVAL_SECONDS: "600",
});
const sql = openDatabase({ url: server.databaseUrl, max: 2 });
const readers = await addMailReaders(sql, telegram, READERS);
if (!(await until(() => areWatched(sql, READERS), PATIENCE_MS))) throw new Error("The watch did not begin");
telegram.faults.set({ kind: "slow", ms: TELEGRAM_MS, times: Number.POSITIVE_INFINITY });
telegram.ledger.clear();

const alerts: SignedAlert[] = [];
const mails: { to: string; raw: Buffer; alert: SignedAlert | undefined }[] = [];
for (let n = 0; n < SECONDS * MAILS_A_SECOND; n += 1) {
  const isTold = (n * TOLD_A_SECOND) % MAILS_A_SECOND < TOLD_A_SECOND;
  const reader = readers[(isTold ? alerts.length : n) % READERS] as MailReader;
  const alert = isTold ? await signedAlert(alerts.length, reader, key) : undefined;
  if (alert) alerts.push(alert);
  mails.push({ to: reader.address, raw: alert?.raw ?? (await otherMail(n, reader)), alert });
}

/** Unsigned, of an advert that was told already, or no alert. */
async function otherMail(n: number, reader: MailReader): Promise<Buffer> {
  const known = alerts.findLastIndex((alert) => alert.reader === reader);
  if (n % 3 === 0 && known >= 0) return (await signedAlert(known, reader, key)).raw;
  const { raw } = await signedAlert(900_000 + n, reader, key);
  const unsigned = raw.toString("latin1").replace(/^DKIM-Signature:[\s\S]*?\r\n(?!\s)/, "");
  if (n % 3 === 1) return Buffer.from(unsigned, "latin1");
  return signMail(unsigned.replace(/^Subject:.*$/m, "Subject: Uno de tus favoritos ya no se publica"), key);
}

const sender = createRetryingSender(DOOR_PORT, 20);
const acceptedAt = new Map<SignedAlert, number>();
let refused = 0;
const from = Date.now();
const sending: Promise<void>[] = [];
for (const [n, { alert, ...mail }] of mails.entries()) {
  const due = from + (n * 1000) / MAILS_A_SECOND;
  if (due > Date.now()) await wait(due - Date.now());
  sending.push(
    sender.send(mail).then((at) => {
      if (at === undefined) refused += 1;
      else if (alert) acceptedAt.set(alert, at);
    }),
  );
}
await Promise.all(sending);
const seconds = (Date.now() - from) / 1000;
await until(
  async () => (await isQuiet(sql)) && timesTold(telegram, alerts).every((times) => times > 0),
  PATIENCE_MS,
);
const told = timesTold(telegram, alerts);
const latencies = alerts.map((alert) => {
  const price = `€${alert.priceEur.toLocaleString("en")}`;
  const yes = telegram.ledger.accepted.find(
    ({ chatId, text }) => chatId === alert.reader.chatId && text.includes(price),
  );
  return (yes?.at ?? Number.POSITIVE_INFINITY) - (acceptedAt.get(alert) ?? 0);
});
const surplus = telegram.ledger.accepted.length - told.reduce((sum, times) => sum + times, 0);
await sql.end({ timeout: 5 });
sender.close();
await server.stop();
await Promise.all([portal.close(), telegram.close()]);

const p95 = quantile(latencies, 0.95);
const lost = told.filter((times) => times === 0).length;
const twice = told.filter((times) => times > 1).length;
console.table({
  cores: availableParallelism(),
  mails: mails.length,
  "mails a second": Number((mails.length / seconds).toFixed(1)),
  "to be told": alerts.length,
  lost,
  "told twice": twice,
  "told besides": surplus,
  "refused by the door": refused,
  "told to wait (429)": telegram.ledger.refused.length,
  "p50 ms": Math.round(quantile(latencies, 0.5)),
  "p95 ms": Math.round(p95),
  "max ms": Math.round(Math.max(...latencies)),
});
process.exitCode = p95 < MAX_P95_MS && lost === 0 && twice === 0 && surplus === 0 && refused === 0 ? 0 : 1;
