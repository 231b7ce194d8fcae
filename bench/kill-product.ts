// Runs three processes of the product on one database and repeatedly kills one of them at a random moment while listings are
// published. Telegram's ledger shows what was lost and what was sent twice. The argument is the number of kills.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openDatabase } from "#platform/database/open-database.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";
import { seeded } from "#test/seeded.ts";
import { type ServerProcess, startServerProcess } from "#test/server-process.ts";
import { simulatedServices } from "#test/simulated-services.ts";
import { addPeople } from "#test/watching/world.ts";
import { createHunters, publishFor, timesSent } from "./load/hunters.ts";
import { until } from "./until.ts";

const KILLS = Number(process.argv[2] ?? 200);
const PROCESSES = 3;
const LONGEST_PAUSE_MS = 4_000;
const PORTAL_MS = 300;
const TELEGRAM_MS = 100;
/** Longer than the lease of an alert whose sender was killed. */
const SETTLE_MS = 180_000;

const random = seeded(8);
const databases = await startMigratedPostgres();
const databaseUrl = await databases.create();
const sql = openDatabase({ url: databaseUrl, max: 2 });
const dataDir = await mkdtemp(join(tmpdir(), "sereno-kills-"));
const portal = await startPortalSimulator({ size: 4_000, newPerDay: 0, monthlyRequests: null });
const telegram = await startTelegramSimulator();
const hunters = createHunters(telegram);

function start(): Promise<ServerProcess> {
  return startServerProcess({
    ...simulatedServices(portal, telegram),
    IDEALISTA_MONTHLY_REQUESTS: "100000000",
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CHECK_INTERVAL_SECONDS: "5",
    LOG_LEVEL: "error",
  });
}

function publishSome(): void {
  for (let left = 1 + Math.floor(random() * 4); left > 0; left -= 1) {
    publishFor(portal, hunters[Math.floor(random() * hunters.length)]);
  }
}

async function isSettled(): Promise<boolean> {
  const [row] = await sql<[{ open: boolean }]>`
    select exists (select from watch.alerts where state in ('pending', 'sending')) as open`;
  return !row.open && timesSent(telegram, hunters).every((times) => times > 0);
}

await addPeople(
  sql,
  hunters.map(({ url, chatId }) => ({ url, chatIds: [String(chatId)] })),
);
const servers = Array.from({ length: PROCESSES }, start);
await Promise.all(servers);
const isWatching = await until(async () => {
  const [row] = await sql<[{ sent: number }]>`
    select count(*)::int as sent from watch.alerts where kind = 'watch-started' and state = 'sent'`;
  return row.sent === hunters.length;
}, SETTLE_MS);
if (!isWatching) throw new Error("The first checks did not complete");
telegram.ledger.clear();
// Slow enough that many kills hit a running check or an unanswered message.
portal.faults.set({ fault: "slow", ms: PORTAL_MS });
telegram.faults.set({ kind: "slow", ms: TELEGRAM_MS, times: Number.POSITIVE_INFINITY });

const from = Date.now();
for (let kill = 1; kill <= KILLS; kill += 1) {
  publishSome();
  await wait(random() * LONGEST_PAUSE_MS);
  const place = Math.floor(random() * servers.length);
  const victim = await servers[place];
  victim?.child.kill("SIGKILL");
  await victim?.exited;
  servers[place] = start();
  if (kill % 20 === 0) {
    const times = timesSent(telegram, hunters);
    console.log(
      `${kill} kills: ${times.length} published, ${times.filter((count) => count > 0).length} sent`,
    );
  }
}
const seconds = (Date.now() - from) / 1000;
await until(isSettled, SETTLE_MS);
const settledMs = Date.now() - from - seconds * 1000;
for (const server of await Promise.all(servers)) {
  server.child.kill("SIGTERM");
  await server.exited;
}
const times = timesSent(telegram, hunters);
const [{ feeds }] = await sql<[{ feeds: number }]>`select count(*)::int as feeds from watch.feeds`;
await Promise.all([portal.close(), telegram.close(), sql.end({ timeout: 5 })]);
await databases.stop();
await rm(dataDir, { recursive: true, force: true });

const lost = times.filter((count) => count === 0).length;
const duplicates = times.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
console.table({
  kills: KILLS,
  "seconds with kills": Math.round(seconds),
  "settled after, s": Math.round(settledMs / 1000),
  feeds,
  published: times.length,
  lost,
  duplicates,
});
process.exitCode = lost === 0 && duplicates <= KILLS ? 0 : 1;
