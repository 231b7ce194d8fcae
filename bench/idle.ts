// What an idle installation costs: transactions and wake-ups a second of the server's main thread, and memory. One process with every
// role, on its embedded database, with simulated services that have nothing new. Linux only.
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { simulatedServices } from "#test/simulated-services.ts";
import { describeMachine, memoryOf } from "./harness/machine.ts";
import { judge } from "./harness/measure.ts";
import { startBenchServer } from "./harness/product.ts";

const [settleSeconds = 120, seconds = 120] = process.argv.slice(2).map(Number);
const AT_MOST = { transactions: 7, wakeUps: 17, serverMb: 251, postgresMb: 137 };

const [portal, telegram] = await Promise.all([
  startPortalSimulator({ size: 2_000, newPerDay: 0, monthlyRequests: null }),
  startTelegramSimulator(),
]);
const server = await startBenchServer(simulatedServices(portal, telegram));
// Not idle itself for the time of the measurement: one transaction at each end.
const sql = postgres(server.databaseUrl, { max: 1, onnotice: () => {} });

async function look() {
  const [row] = await sql<[{ transactions: number }]>`
    select sum(xact_commit + xact_rollback)::float8 as transactions from pg_stat_database`;
  const status = await readFile(`/proc/${server.pid}/task/${server.pid}/status`, "utf8");
  const wakeUps = Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
  return { ...row, wakeUps, atMs: performance.now() };
}

await pause(settleSeconds * 1000);
const before = await look();
await pause(seconds * 1000);
const after = await look();
const perSecond = (amount: number) => Math.round((amount * 1e4) / (after.atMs - before.atMs)) / 10;
const figures = {
  transactions: perSecond(after.transactions - before.transactions),
  wakeUps: perSecond(after.wakeUps - before.wakeUps),
  ...(await memoryOf(server.pid, server.postmasterPid)),
};
console.log(await describeMachine(sql));
console.table(figures);
for (const [name, most] of Object.entries(AT_MOST)) {
  judge(`${name} at most ${most}`, figures[name as keyof typeof figures] <= most);
}
await sql.end();
await server.stop();
await Promise.all([portal.close(), telegram.close()]);
process.exit();
