// Compares sign-ins per second with bare password hashes per second, with the product's concurrency, alternating.
// `sign-ins.ts [folder] [seconds]`: with the folder of another checkout, that is measured too. The seconds are per checkout.
import { Agent } from "node:http";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import bcrypt from "bcrypt";
import { startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";
import { ask } from "../ask.ts";
import { milliseconds, quantile } from "../bench-server.ts";
import {
  type CheckoutServer,
  cpuMsOf,
  credentialsOf,
  signUp,
  startCheckoutServer,
} from "./checkout-server.ts";
import { startCountingProxy } from "./counting-proxy.ts";

const CLIENTS = 16;
const TURN_MS = 2_000;
const COUNTED = 10;
/** As in src/backend, which leaves one core to other work. */
const HASHES_AT_ONCE = Math.max(1, availableParallelism() - 1);
const TARGET = 0.93;
const [other, seconds = "20"] = process.argv.slice(2);

type Turns = { done: number; elapsedMs: number; times: number[]; cpuMs: number };
const noTurns = (): Turns => ({ done: 0, elapsedMs: 0, times: [], cpuMs: 0 });

// The cost factor of the auth service.
const hash = bcrypt.hashSync(credentialsOf(0).password, 10);
const folders = { ...(other ? { before: resolve(other) } : {}), now: resolve(".") };
const database = await startMigratedPostgres();
const servers: Record<string, CheckoutServer> = {};
const counted: Record<string, object> = {};
const bare = noTurns();
const measured: Record<string, Turns> = {};
let lastAddress = 0;
for (const [name, folder] of Object.entries(folders)) {
  counted[name] = await countStatements(folder);
  servers[name] = await openServer(folder, await database.createBare());
  measured[name] = noTurns();
}
for (let turn = 0; turn < Number(seconds) * 1000; turn += TURN_MS) {
  await hashFor(TURN_MS, bare);
  for (const [name, server] of Object.entries(servers))
    await signInFor(TURN_MS, server, measured[name] ?? bare);
}
for (const server of Object.values(servers)) await server.stop();
await database.stop();

const perSecond = ({ done, elapsedMs }: Turns) => (done * 1000) / elapsedMs;
const rows = Object.entries(measured).map(([name, turns]) => [
  `sign-ins, ${name}`,
  {
    ...counted[name],
    "per second": perSecond(turns).toFixed(1),
    "of bare hashes": `${Math.round((100 * perSecond(turns)) / perSecond(bare))} %`,
    p50: milliseconds(quantile(turns.times, 0.5)),
    p95: milliseconds(quantile(turns.times, 0.95)),
    "Node's CPU each, including the hash": milliseconds(turns.cpuMs / turns.done),
  },
]);
console.table({
  [`bare hashes, ${HASHES_AT_ONCE} at a time`]: { "per second": perSecond(bare).toFixed(1) },
  ...Object.fromEntries(rows),
});
const ratio = perSecond(measured.now ?? bare) / perSecond(bare);
console.log(`Ratio ${ratio.toFixed(2)}; target ${TARGET}. ${ratio >= TARGET ? "Met." : "MISSED."}`);
process.exitCode = ratio >= TARGET ? 0 : 1;

async function openServer(folder: string, databaseUrl: string): Promise<CheckoutServer> {
  const server = await startCheckoutServer(folder, databaseUrl);
  for (let number = 0; number < CLIENTS; number += 1) await signUp(server, number, freshAddress());
  await signIn(server, 0);
  return server;
}

async function countStatements(folder: string) {
  const proxy = await startCountingProxy(await database.createBare());
  const server = await openServer(folder, proxy.url);
  const before = { ...proxy.counts };
  for (let number = 0; number < COUNTED; number += 1) await signIn(server, 0);
  const each = (count: keyof typeof before) => ((proxy.counts[count] - before[count]) / COUNTED).toFixed(1);
  const counts = { statements: each("statements"), "round trips": each("roundTrips") };
  await server.stop();
  await proxy.stop();
  return counts;
}

async function hashFor(forMs: number, turns: Turns): Promise<void> {
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: HASHES_AT_ONCE }, async () => {
      while (performance.now() - startedAt < forMs) {
        await bcrypt.compare(credentialsOf(0).password, hash);
        turns.done += 1;
      }
    }),
  );
  turns.elapsedMs += performance.now() - startedAt;
}

async function signInFor(forMs: number, server: CheckoutServer, turns: Turns): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const startedAt = performance.now();
  const cpuBefore = await cpuMsOf(server.child.pid);
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, number) => {
      while (performance.now() - startedAt < forMs) {
        const askedAt = performance.now();
        await signIn(server, number, agent);
        turns.times.push(performance.now() - askedAt);
        turns.done += 1;
      }
    }),
  );
  turns.elapsedMs += performance.now() - startedAt;
  turns.cpuMs += (await cpuMsOf(server.child.pid)) - cpuBefore;
  agent.destroy();
}

async function signIn({ port, publishableKey }: CheckoutServer, number: number, agent?: Agent) {
  const headers = { apikey: publishableKey, "x-forwarded-for": freshAddress() };
  const body = JSON.stringify(credentialsOf(number));
  const path = "/auth/v1/token?grant_type=password";
  const { status, text } = await ask(port, path, headers, { method: "POST", body, ...(agent && { agent }) });
  if (status !== 200) throw new Error(`a sign-in answered ${status}: ${text}`);
}

/** A new address per request, so that limits per address do not apply. */
function freshAddress(): string {
  lastAddress += 1;
  return `10.${lastAddress >> 16}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
}
