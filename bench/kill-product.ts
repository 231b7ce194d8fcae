// The whole product killed at random moments, over checking and sending, while listings are published; Telegram's ledger is
// the judge of what was lost and what came twice. The argument is the number of kills.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Sql } from "postgres";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { openDatabase } from "#store/open-database.ts";
import { startServerProcess } from "#test/server-process.ts";
import { startBenchDatabase } from "./watch-database.ts";
import { addPeople } from "./watch-world.ts";
import { differentSearches, lowestPriceOf, settingsFor } from "./whole-product.ts";

const KILLS = Number(process.argv[2] ?? 200);
const PEOPLE = 40;
const WIDTH_EUR = 100;
const LONGEST_LIFE_MS = 3_000;
const PATIENCE_MS = 240_000;

const databases = await startBenchDatabase();
const databaseUrl = await databases.create();
const sql = openDatabase({ url: databaseUrl, max: 2 });
const dataDir = await mkdtemp(join(tmpdir(), "sereno-kills-"));
const portal = await startPortalSimulator({ size: 4_000, newPerDay: 0, monthlyRequests: null });
const telegram = await startTelegramSimulator();
const searches = differentSearches(PEOPLE, WIDTH_EUR);
const chatIds = searches.map(() => createPerson(telegram, { isStarted: true }).id);
const start = () =>
  startServerProcess({
    ...settingsFor(portal, telegram),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CHECK_INTERVAL_SECONDS: "5",
    LOG_LEVEL: "error",
  });

/** By its price, which no other listing has. */
const published = new Set<string>();

function publishSome(): void {
  for (let left = 1 + Math.floor(Math.random() * 3); left > 0; left -= 1) {
    const search = Math.floor(Math.random() * PEOPLE);
    const priceEur = lowestPriceOf(search, WIDTH_EUR) + Math.floor(Math.random() * WIDTH_EUR);
    const price = `€${priceEur.toLocaleString("en")} ·`;
    if (published.has(price)) continue;
    const outcome = publishMatching(portal.market, { url: searches[search] ?? "", fields: { priceEur } });
    if (!outcome.isPublished) throw new Error(outcome.reason);
    published.add(price);
  }
}

async function until(isSo: (sql: Sql) => Promise<boolean>): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    if (await isSo(sql)) return true;
    await wait(300);
  }
  return false;
}

const timesTold = () => {
  const texts = telegram.ledger.accepted
    .map(({ text }) => text.replaceAll("\u00a0", " "))
    .filter((text) => text.includes("New in"));
  return [...published].map((price) => texts.filter((text) => text.includes(price)).length);
};

await addPeople(
  sql,
  searches.map((url, n) => ({ url, chatIds: [String(chatIds[n])] })),
);
let server = await start();
await until(async (db) => (await db`select from watch.searches where begun_at is null`).length === 0);
const from = Date.now();
for (let kill = 0; kill < KILLS; kill += 1) {
  publishSome();
  await wait(Math.random() * LONGEST_LIFE_MS);
  server.child.kill("SIGKILL");
  await server.exited;
  server = await start();
}
const seconds = (Date.now() - from) / 1000;
await until(async () => timesTold().every((times) => times > 0));
server.child.kill("SIGTERM");
await server.exited;
const told = timesTold();
await Promise.all([portal.close(), telegram.close(), sql.end({ timeout: 5 })]);
await databases.stop();
await rm(dataDir, { recursive: true, force: true });

const lost = told.filter((times) => times === 0).length;
const duplicates = told.reduce((sum, times) => sum + Math.max(0, times - 1), 0);
console.table({ kills: KILLS, seconds: Math.round(seconds), published: published.size, lost, duplicates });
process.exitCode = lost === 0 && duplicates <= KILLS ? 0 : 1;
