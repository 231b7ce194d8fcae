// Runs every kind of request at a steady rate while the portal goes down, Telegram answers 429 to everything, the database
// restarts and crashes, and the server is killed. Nothing found or saved may be lost, memory must not grow, and requests must
// be answered while the product is up. `soak.ts [minutes] [kind=rate …]`, with the rates that load.ts prints.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "#backend/postgres/embedded-postgres.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { seeded } from "#test/seeded.ts";
import { startServerProcess } from "#test/server-process.ts";
import { simulatedServices } from "#test/simulated-services.ts";
import { addPeople } from "#test/watching/world.ts";
import { describeMachine } from "./harness/machine.ts";
import { judge, listOf, quantile, tableOf, until } from "./harness/measure.ts";
import { NO_LIMITS } from "./harness/product.ts";
import { createHunters, publishFor, sendingTimes, timesSent } from "./load/hunters.ts";
import { startMemoryRecord } from "./load/memory-record.ts";
import { type Act, Arrivals, TIMEOUT_MS } from "./load/open-loop.ts";
import { startRestartablePostgres } from "./load/restartable-postgres.ts";
import { createVisitors } from "./load/visitors.ts";

const [minutes = "10", ...given] = process.argv.slice(2);
const DURATION_MS = Number(minutes) * 60_000;
const DEFAULT_RATES = { landing: 2, "sign-in": 1, save: 4, realtime: 4, alerts: 2 };
type Kind = keyof typeof DEFAULT_RATES;
const PEOPLE = 30;
const TELEGRAM_MS = 30;
const OUTAGE_MS = 15_000;
/** Between one failure and the next. */
const QUIET_MS = Math.min(20_000, DURATION_MS / 20);
/** Kills come first, so that one process then lives long enough to show whether its memory grows. */
const KILLS_END = 0.35;
const FAILURES_END = 0.93;
/** Longer than an alert waits that two killed senders may have sent, and than the retry delay of a failed feed. */
const SETTLE_MS = 660_000;
const READY_MS = 60_000;
/** Requests under way and reconnecting pages fail within their timeout. */
const AFTERMATH_MS = TIMEOUT_MS + 4_000;
const MOST_GROWTH = 1.2;

const rates = { ...DEFAULT_RATES, ...Object.fromEntries(given.map(readRate)) } as Record<Kind, number>;
const random = seeded(18);
const database = await startRestartablePostgres();
const dataDir = await mkdtemp(join(tmpdir(), "sereno-soak-"));
const port = await freePort();
const portal = await startPortalSimulator({ size: 4_000, newPerDay: 0, monthlyRequests: null });
const telegram = await startTelegramSimulator();
const start = () =>
  startServerProcess({
    ...simulatedServices(portal, telegram),
    ...NO_LIMITS,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    CHECK_INTERVAL_SECONDS: "5",
    LOG_LEVEL: "error",
  }).then((started) => {
    // If it exits by itself, its last lines say why.
    started.child.stderr?.pipe(process.stderr, { end: false });
    return started;
  });
let server = await start();
const sql = openDatabase({ url: database.url, max: 6 });
const machine = await describeMachine(sql);
const hunters = createHunters(telegram);
await addPeople(
  sql,
  hunters.map(({ url, chatId }) => ({ url, chatIds: [String(chatId)] })),
);
const visitors = await createVisitors({ port, sql, count: PEOPLE });
if (!(await until(isWatched, SETTLE_MS))) throw new Error("The first checks did not complete");
telegram.ledger.clear();
telegram.faults.set({ kind: "slow", ms: TELEGRAM_MS, times: Number.POSITIVE_INFINITY });

const from = Date.now();
const end = from + DURATION_MS;
/** Requests may fail while the product or its database is down, and for a moment after. */
let downUntil = 0;
let notReady = "";
const unexpected = new Map<string, number>();
let lastUnexpectedSecond = -1;
const acts: Record<Kind, Act> = {
  ...visitors.acts,
  alerts: async () => publishFor(portal, hunters[Math.floor(random() * hunters.length)]),
};
const arrivals = Object.fromEntries(
  Object.entries(acts).map(([kind, act]) => [kind, new Arrivals(act, (reason) => noteError(kind, reason))]),
) as Record<Kind, Arrivals>;
const memory = startMemoryRecord(async () => ({
  serverPid: server.child.pid ?? 0,
  postmasterPid: await database.postmasterPid(),
}));
const counts: Record<string, number> = {};
await Promise.all([
  injectFailures(),
  ...Object.entries(arrivals).map(([kind, coming]) => coming.run(rates[kind as Kind], end)),
]);
const stoppedAt = Date.now();
const isSettled = await until(isAllSent, SETTLE_MS);
const settledSeconds = Math.round((Date.now() - stoppedAt) / 1000);
const unsaved = await visitors.countUnsaved();
const thirds = await memory.end();
visitors.close();
server.child.kill("SIGTERM");
await server.exited;
await Promise.all([portal.close(), telegram.close(), sql.end({ timeout: 5 })]);
await database.stop();
await rm(dataDir, { recursive: true, force: true });
report();

function noteError(kind: string, reason: string): void {
  if (Date.now() < downUntil) return;
  const second = Math.round((Date.now() - from) / 1000);
  if (second !== lastUnexpectedSecond) console.error(`${second} s: unexpected: ${kind}: ${reason}`);
  lastUnexpectedSecond = second;
  unexpected.set(`${kind}: ${reason}`, (unexpected.get(`${kind}: ${reason}`) ?? 0) + 1);
}

/** One after the other. */
async function injectFailures(): Promise<void> {
  const failures: Record<string, () => Promise<void>> = {
    "portal outages": async () => {
      portal.faults.set({ fault: "down" });
      await wait(OUTAGE_MS);
      portal.faults.clear();
    },
    "429 storms": async () => {
      telegram.faults.clear();
      telegram.faults.set({ kind: "storm", forMs: OUTAGE_MS });
      telegram.faults.set({ kind: "slow", ms: TELEGRAM_MS, times: Number.POSITIVE_INFINITY });
      await wait(OUTAGE_MS);
    },
    "database restarts": () => whileDown(() => database.restart("stop")),
    "database crashes": () => whileDown(() => database.restart("crash")),
  };
  const names = Object.keys(failures);
  for (let turn = 0, next = 0; ; turn += 1) {
    await wait(QUIET_MS);
    const share = (Date.now() - from) / DURATION_MS;
    if (share > FAILURES_END) return;
    const isKill = share < KILLS_END && turn % 2 === 0;
    const name = isKill ? "kills" : (names[next++ % names.length] ?? "");
    counts[name] = (counts[name] ?? 0) + 1;
    console.error(`${Math.round((Date.now() - from) / 1000)} s: ${name}`);
    await (isKill ? whileDown(killServer) : failures[name]?.());
  }
}

async function killServer(): Promise<void> {
  server.child.kill("SIGKILL");
  await server.exited;
  server = await start();
}

async function whileDown(act: () => Promise<void>): Promise<void> {
  downUntil = Number.POSITIVE_INFINITY;
  await act();
  if (!(await until(isReady, READY_MS)))
    throw new Error(`The product did not become ready again: ${notReady}`);
  downUntil = Date.now() + AFTERMATH_MS;
}

async function isReady(): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  notReady = (await answer?.text()) ?? "no answer";
  return answer?.ok ?? false;
}

async function isWatched(): Promise<boolean> {
  const [row] = await sql<[{ sent: number }]>`
    select count(*)::int as sent from watch.alerts where kind = 'watch-started' and state = 'sent'`;
  return row.sent === hunters.length;
}

async function isAllSent(): Promise<boolean> {
  const [row] = await sql<[{ open: boolean }]>`
    select exists (select from watch.alerts where state in ('pending', 'sending')) as open`;
  return !row.open && timesSent(telegram, hunters).every((times) => times > 0);
}

function report(): void {
  const told = timesSent(telegram, hunters);
  const lost = told.filter((times) => times === 0).length;
  const twice = told.reduce((sum, times) => sum + Math.max(0, times - 1), 0);
  const ended = (counts.kills ?? 0) + (counts["database restarts"] ?? 0) + (counts["database crashes"] ?? 0);
  const failures = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const isFlat = thirds.lastMb <= thirds.firstMb * MOST_GROWTH;
  const rows = Object.entries(arrivals).map(([kind, coming]) => {
    const taken = kind === "alerts" ? sendingTimes(telegram, hunters) : coming.times;
    const times = [0.5, 0.95].map((share) => `${Math.round(quantile(taken, share))} ms`);
    return [kind, rates[kind as Kind], coming.count, ...times, listOf(coming.errors) || "none"];
  });
  const memoryOf = (first: number, last: number) => `${Math.round(first)} MB, ${Math.round(last)} MB`;
  const life = `${Math.round(thirds.lifeSeconds)} s of one process`;
  console.log(`${machine}\n\n${minutes} minutes with ${failures.join(", ")}.\n`);
  console.log(
    tableOf(["", "per second", "total", "p50", "p95", "errors, including those during downtime"], rows),
  );
  console.log();
  console.log(
    tableOf(
      ["", ""],
      [
        ["listings published that match a search", told.length],
        ["lost", lost],
        ["sent twice", twice],
        ["settled after", isSettled ? `${settledSeconds} s` : "never"],
        ["saves acknowledged but missing", unsaved],
        ["errors while everything was up", listOf(unexpected) || "none"],
        [`server's memory during ${life}: first third, last third`, memoryOf(thirds.firstMb, thirds.lastMb)],
        ["PostgreSQL's memory", memoryOf(thirds.firstPostgresMb, thirds.lastPostgresMb)],
      ],
    ),
  );
  const isMet = lost === 0 && unsaved === 0 && unexpected.size === 0 && twice <= ended && isFlat && isSettled;
  judge("nothing lost, memory does not grow, every request answered while everything is up", isMet);
}

function readRate(pair: string): [string, number] {
  const [kind = "", rate] = pair.split("=");
  if (!(kind in DEFAULT_RATES) || !(Number(rate) > 0))
    throw new Error(`${pair} is not of the form kind=rate`);
  return [kind, Number(rate)];
}
