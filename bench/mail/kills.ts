// The whole product killed at a random moment again and again while alert mails arrive over SMTP from a sender that retries
// as real ones do. Telegram's ledger is the judge of what was lost and what came twice. The arguments are the number of kills
// and of mails.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openDatabase } from "#platform/database/open-database.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { makeDkimKey } from "#test/alert-mails/signed-mail.ts";
import { startMigratedPostgres } from "#test/migrated-postgres.ts";
import { seeded } from "#test/seeded.ts";
import { startServerProcess } from "#test/server-process.ts";
import { until } from "../until.ts";
import { settingsFor } from "../whole-product.ts";
import {
  addMailReaders,
  areWatched,
  createRetryingSender,
  isQuiet,
  mailSettings,
  type SignedAlert,
  signedAlert,
  timesTold,
} from "./world.ts";

const KILLS = Number(process.argv[2] ?? 200);
const MAILS = Number(process.argv[3] ?? KILLS * 10);
const READERS = 60;
const LONGEST_LIFE_MS = 1_500;
const TELEGRAM_MS = 100;
/** Longer than the lease of an alert whose sender died. */
const PATIENCE_MS = 240_000;

const random = seeded(14);
const key = makeDkimKey();
const databases = await startMigratedPostgres();
const databaseUrl = await databases.create();
const sql = openDatabase({ url: databaseUrl, max: 2 });
const dataDir = await mkdtemp(join(tmpdir(), "sereno-mail-kills-"));
const portal = await startPortalSimulator({ size: 500, newPerDay: 0, monthlyRequests: null });
const telegram = await startTelegramSimulator();
const doorPort = await freePort();
const sender = createRetryingSender(doorPort);

const start = () =>
  startServerProcess({
    ...settingsFor(portal, telegram),
    ...mailSettings(doorPort, key),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CHECK_INTERVAL_SECONDS: "600",
    LOG_LEVEL: "error",
  });

let server = await start();
const readers = await addMailReaders(sql, telegram, READERS);
if (!(await until(() => areWatched(sql, READERS), PATIENCE_MS))) throw new Error("The watch did not begin");
telegram.ledger.clear();
// Slow enough that many a kill falls into a message.
telegram.faults.set({ kind: "slow", ms: TELEGRAM_MS, times: Number.POSITIVE_INFINITY });

const sent: SignedAlert[] = [];
const answers: Promise<number | undefined>[] = [];
async function sendSome(count: number): Promise<void> {
  for (let left = count; left > 0 && sent.length < MAILS; left -= 1) {
    const reader = readers[sent.length % READERS];
    if (!reader) return;
    const alert = await signedAlert(sent.length, reader, key);
    sent.push(alert);
    answers.push(sender.send({ to: reader.address, raw: alert.raw }));
  }
}

const from = Date.now();
for (let kill = 1; kill <= KILLS; kill += 1) {
  await sendSome(Math.ceil(MAILS / KILLS));
  await wait(random() * LONGEST_LIFE_MS);
  server.child.kill("SIGKILL");
  await server.exited;
  server = await start();
  if (kill % 20 === 0) {
    const told = timesTold(telegram, sent).filter((times) => times > 0).length;
    console.log(`${kill} kills: ${sent.length} sent, ${told} told, ${sender.attempts()} attempts`);
  }
}
await sendSome(MAILS);
const seconds = (Date.now() - from) / 1000;
const accepted = (await Promise.all(answers)).filter((at) => at !== undefined).length;
await until(
  async () => (await isQuiet(sql)) && timesTold(telegram, sent).every((times) => times > 0),
  PATIENCE_MS,
);
server.child.kill("SIGTERM");
await server.exited;
sender.close();
const told = timesTold(telegram, sent);
const [{ left }] = await sql<
  [{ left: number }]
>`select count(*)::int as left from watch.mails where done_at is null`;
await Promise.all([portal.close(), telegram.close(), sql.end({ timeout: 5 })]);
await databases.stop();
await rm(dataDir, { recursive: true, force: true });

const lost = told.filter((times) => times === 0).length;
const duplicates = told.reduce((sum, times) => sum + Math.max(0, times - 1), 0);
console.table({
  kills: KILLS,
  seconds: Math.round(seconds),
  mails: sent.length,
  attempts: sender.attempts(),
  "answered with 250": accepted,
  "still waiting": left,
  lost,
  "told twice": duplicates,
});
process.exitCode = lost === 0 && left === 0 && accepted === sent.length && duplicates <= KILLS ? 0 : 1;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
