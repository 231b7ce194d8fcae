// Four watchers under load, one of them killed every second for a minute: nothing lost, nothing doubled in the outbox.
import { setTimeout as wait } from "node:timers/promises";
import { openDatabase } from "#platform/database/open-database.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { type MigratedPostgres, startMigratedPostgres } from "#test/migrated-postgres.ts";
import { seeded } from "#test/seeded.ts";
import {
  addSamePeople,
  hasBegunForAll,
  isCheckedSince,
  owedFor,
  publishOne,
  startWatcherProcess,
  toldOn,
  type WatcherProcess,
} from "#test/watching/processes.ts";

const PROCESSES = 4;
const KILLS = 60;
const COPIES = 20;
const PUBLISHED_A_SECOND = 5;
const INTERVAL_SECONDS = 2;

async function run(databases: MigratedPostgres): Promise<void> {
  const portal = await startPortalSimulator({
    size: 4_000,
    newPerDay: 0,
    requestsPerSecond: 0,
    monthlyRequests: null,
  });
  portal.faults.set({ fault: "slow", ms: 50 });
  const url = await databases.create();
  const sql = openDatabase({ url, max: 3 });
  await addSamePeople(sql, COPIES);
  const start = () => startWatcherProcess(url, portal.url, INTERVAL_SECONDS);
  const running: WatcherProcess[] = Array.from({ length: PROCESSES }, start);
  await Promise.all(running.map(({ ready }) => ready));
  await until(() => hasBegunForAll(sql));

  const random = seeded(3);
  const codes: string[] = [];
  const from = Date.now();
  for (let kill = 0; kill < KILLS; kill++) {
    for (let n = 0; n < PUBLISHED_A_SECOND; n++) codes.push(publishOne(portal, codes.length));
    const [victim] = running.splice(Math.floor(random() * running.length), 1);
    const next = start();
    next.ready.catch(() => {});
    running.push(next);
    await victim?.kill();
    await wait(Math.max(0, from + (kill + 1) * 1_000 - Date.now()));
  }
  const lastKill = Date.now();
  for (let time = 0; time < 2; time++) {
    const moment = Date.now();
    await until(() => isCheckedSince(sql, moment));
  }
  const settledMs = Date.now() - lastKill;
  await Promise.all(running.map((one) => one.stop()));

  const told = await toldOn(sql);
  const held = new Set(told);
  const lost = owedFor(codes, COPIES).filter((line) => !held.has(line));
  console.table({
    kills: KILLS,
    "listings published": codes.length,
    "alerts owed at least": codes.length * COPIES * 2,
    "alerts in the outbox": told.length,
    lost: lost.length,
    doubled: told.length - held.size,
    "settled after the last kill, ms": settledMs,
  });
  if (lost.length > 0 || held.size !== told.length) {
    console.error(`Lost: ${lost.slice(0, 5).join("; ")}`);
    process.exitCode = 1;
  }
  await sql.end();
  await portal.close();
}

/** Two watchers in the middle of long readings; one is killed. How long until each feed has been read by the other. */
async function measureTakeover(databases: MigratedPostgres): Promise<void> {
  const portal = await startPortalSimulator({
    size: 4_000,
    newPerDay: 0,
    requestsPerSecond: 0,
    monthlyRequests: null,
  });
  const url = await databases.create();
  const sql = openDatabase({ url, max: 3 });
  await addSamePeople(sql, 1);
  const [victim, survivor] = [0, 1].map(() => startWatcherProcess(url, portal.url, INTERVAL_SECONDS));
  await Promise.all([victim?.ready, survivor?.ready]);
  await until(() => hasBegunForAll(sql));
  portal.faults.set({ fault: "slow", ms: 3_000 });
  await until(async () => (await sql`select 1 from watch.feeds where lease_id is not null`).length === 3);
  await victim?.kill();
  const from = Date.now();
  portal.faults.clear();
  await until(() => isCheckedSince(sql, from));
  console.table({ "every feed of a killed watcher read by another after, ms": Date.now() - from });
  if (Date.now() - from > 30_000) process.exitCode = 1;
  await survivor?.stop();
  await sql.end();
  await portal.close();
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error("It did not come to be in two minutes");
    await wait(200);
  }
}

const databases = await startMigratedPostgres();
try {
  await measureTakeover(databases);
  await run(databases);
} finally {
  await databases.stop();
}
