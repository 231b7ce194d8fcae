// The whole product, three processes of it on one database, one of them killed at a random moment again and again while
// listings are published: over checking and sending alike. Telegram's ledger is the judge of what was lost and what came
// twice. The argument is the number of kills.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { openDatabase } from "#store/connection/open-database.ts";
import { startMigratedPostgres } from "#test/migrated-postgres.ts";
import { seeded } from "#test/seeded.ts";
import { type ServerProcess, startServerProcess } from "#test/server-process.ts";
import { addPeople } from "#test/watching/world.ts";
import { settingsFor } from "./whole-product.ts";

const KILLS = Number(process.argv[2] ?? 200);
const PROCESSES = 3;
const LONGEST_PAUSE_MS = 4_000;
const PORTAL_MS = 300;
const TELEGRAM_MS = 100;
/** Longer than the lease of an alert whose sender died. */
const PATIENCE_MS = 180_000;
/** Four feeds: rent and sale, each plain and with a wish that only the API can filter by; no two have a price in common. */
const MARKETS = [
  { market: "alquiler-viviendas", wish: "", lowestEur: 700 },
  { market: "alquiler-viviendas", wish: ",terraza", lowestEur: 2_000 },
  { market: "venta-viviendas", wish: "", lowestEur: 150_000 },
  { market: "venta-viviendas", wish: ",terraza", lowestEur: 200_000 },
];
const SEARCHES_A_MARKET = 10;
const WIDTH_EUR = 100;

interface Hunter {
  readonly url: string;
  readonly chatId: number;
  readonly lowestEur: number;
  /** The prices of what was published for this search and for no other. */
  readonly owed: Set<number>;
}

const random = seeded(8);
const databases = await startMigratedPostgres();
const databaseUrl = await databases.create();
const sql = openDatabase({ url: databaseUrl, max: 2 });
const dataDir = await mkdtemp(join(tmpdir(), "sereno-kills-"));
const portal = await startPortalSimulator({ size: 4_000, newPerDay: 0, monthlyRequests: null });
const telegram = await startTelegramSimulator();
const hunters: Hunter[] = MARKETS.flatMap(({ market, wish, lowestEur }) =>
  Array.from({ length: SEARCHES_A_MARKET }, (_, n) => {
    const from = lowestEur + n * WIDTH_EUR;
    const limits = `con-precio-hasta_${from + WIDTH_EUR - 1},precio-desde_${from}${wish}`;
    return {
      url: `https://www.idealista.com/${market}/madrid-madrid/${limits}/`,
      chatId: createPerson(telegram, { isStarted: true }).id,
      lowestEur: from,
      owed: new Set<number>(),
    };
  }),
);

function start(): Promise<ServerProcess> {
  return startServerProcess({
    ...settingsFor(portal, telegram),
    IDEALISTA_MONTHLY_REQUESTS: "100000000",
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CHECK_INTERVAL_SECONDS: "5",
    LOG_LEVEL: "error",
  });
}

function publishSome(): void {
  for (let left = 1 + Math.floor(random() * 4); left > 0; left -= 1) {
    const hunter = hunters[Math.floor(random() * hunters.length)];
    if (!hunter) continue;
    const priceEur = hunter.lowestEur + Math.floor(random() * WIDTH_EUR);
    if (hunter.owed.has(priceEur)) continue;
    const outcome = publishMatching(portal.market, { url: hunter.url, fields: { priceEur } });
    if (!outcome.isPublished) throw new Error(outcome.reason);
    hunter.owed.add(priceEur);
  }
}

/** How often each listing was told to the one it is for. */
function timesTold(): number[] {
  const texts = Map.groupBy(telegram.ledger.accepted, ({ chatId }) => chatId);
  return hunters.flatMap(({ chatId, owed }) =>
    [...owed].map((priceEur) => {
      const price = `€${priceEur.toLocaleString("en")}`;
      return (texts.get(chatId) ?? []).filter(({ text }) => text.includes(price)).length;
    }),
  );
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    if (await isSo()) return true;
    await wait(300);
  }
  return false;
}

async function isSettled(): Promise<boolean> {
  const [row] = await sql<[{ open: boolean }]>`
    select exists (select from watch.alerts where state in ('pending', 'sending')) as open`;
  return !row.open && timesTold().every((times) => times > 0);
}

await addPeople(
  sql,
  hunters.map(({ url, chatId }) => ({ url, chatIds: [String(chatId)] })),
);
const servers = Array.from({ length: PROCESSES }, start);
await Promise.all(servers);
const hasBegun = await until(async () => {
  const [row] = await sql<[{ sent: number }]>`
    select count(*)::int as sent from watch.alerts where kind = 'watch-started' and state = 'sent'`;
  return row.sent === hunters.length;
});
if (!hasBegun) throw new Error("The watch did not begin");
telegram.ledger.clear();
// Slow enough that many a kill falls into a check or a message.
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
    const told = timesTold();
    console.log(`${kill} kills: ${told.length} published, ${told.filter((times) => times > 0).length} told`);
  }
}
const seconds = (Date.now() - from) / 1000;
await until(isSettled);
const settledMs = Date.now() - from - seconds * 1000;
for (const server of await Promise.all(servers)) {
  server.child.kill("SIGTERM");
  await server.exited;
}
const told = timesTold();
const [{ feeds }] = await sql<[{ feeds: number }]>`select count(*)::int as feeds from watch.feeds`;
await Promise.all([portal.close(), telegram.close(), sql.end({ timeout: 5 })]);
await databases.stop();
await rm(dataDir, { recursive: true, force: true });

const lost = told.filter((times) => times === 0).length;
const duplicates = told.reduce((sum, times) => sum + Math.max(0, times - 1), 0);
console.table({
  kills: KILLS,
  "seconds of killing": Math.round(seconds),
  "settled after, s": Math.round(settledMs / 1000),
  feeds,
  published: told.length,
  lost,
  duplicates,
});
process.exitCode = lost === 0 && duplicates <= KILLS ? 0 : 1;
