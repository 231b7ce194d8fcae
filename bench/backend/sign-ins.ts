// Compares sign-ins per second with bare password hashes, in alternating turns and with as many hashes at once as the product.
// `sign-ins.ts [folder] [seconds]`: with the folder of another checkout, that is measured too. The seconds are per checkout.
import { Agent } from "node:http";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import bcrypt from "bcrypt";
import { startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";
import { ask } from "../harness/ask.ts";
import { judge, milliseconds, quantile } from "../harness/measure.ts";
import { type BenchServer, NO_LIMITS, signUp, startBenchServer } from "../harness/product.ts";

const CLIENTS = 16;
const TURN_MS = 1_000;
const HASHES_AT_ONCE = Math.max(1, availableParallelism() - 1);
const PASSWORD = "a-long-password-of-theirs";
const TARGET = 0.95;
const [other, seconds = "15"] = process.argv.slice(2);

type Turns = { times: number[]; elapsedMs: number };

const hash = bcrypt.hashSync(PASSWORD, 10);
const database = await startMigratedPostgres();
const folders = { ...(other ? { before: resolve(other) } : {}), now: resolve(".") };
const servers: Record<string, BenchServer> = {};
let lastAddress = 0;
for (const [name, folder] of Object.entries(folders)) {
  const server = await startBenchServer(
    { ...NO_LIMITS, DATABASE_URL: await database.createBare() },
    { folder },
  );
  for (let number = 0; number < CLIENTS; number += 1) await signUp(server, number, freshAddress());
  await signInFor(server, noTurns());
  servers[name] = server;
}
const bare = noTurns();
const measured = Object.fromEntries(Object.keys(servers).map((name) => [name, noTurns()]));
for (let turn = 0; turn < Number(seconds); turn += 1) {
  await hashFor(bare);
  for (const [name, server] of Object.entries(servers)) await signInFor(server, measured[name] ?? bare);
}
for (const server of Object.values(servers)) await server.stop();
await database.stop();

const rateOf = ({ times, elapsedMs }: Turns) => (times.length * 1000) / elapsedMs;
console.table(
  Object.fromEntries(
    Object.entries({ "bare hashes": bare, ...measured }).map(([name, turns]) => [
      name,
      {
        "per second": rateOf(turns).toFixed(1),
        "of bare hashes": (rateOf(turns) / rateOf(bare)).toFixed(2),
        p50: milliseconds(quantile(turns.times, 0.5)),
        p95: milliseconds(quantile(turns.times, 0.95)),
      },
    ]),
  ),
);
if (measured.before && measured.now) {
  const ratio = rateOf(measured.now) / rateOf(measured.before);
  judge(`${TARGET} times as many sign-ins as before; measured ${ratio.toFixed(2)}`, ratio >= TARGET);
}

function noTurns(): Turns {
  return { times: [], elapsedMs: 0 };
}

function hashFor(turns: Turns): Promise<void> {
  return repeat(turns, HASHES_AT_ONCE, async () => void (await bcrypt.compare(PASSWORD, hash)));
}

async function signInFor(server: BenchServer, turns: Turns): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  await repeat(turns, CLIENTS, (number) => signIn(server, number, agent));
  agent.destroy();
}

async function repeat(turns: Turns, lanes: number, act: (lane: number) => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const runLane = async (lane: number) => {
    while (performance.now() - startedAt < TURN_MS) {
      const askedAt = performance.now();
      await act(lane);
      turns.times.push(performance.now() - askedAt);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));
  turns.elapsedMs += performance.now() - startedAt;
}

async function signIn({ port, publishableKey }: BenchServer, number: number, agent: Agent): Promise<void> {
  const headers = { apikey: publishableKey, "x-forwarded-for": freshAddress() };
  const body = JSON.stringify({ email: `person-${number}@example.com`, password: PASSWORD });
  const asked = { method: "POST", body, agent };
  const { status, text } = await ask(port, "/auth/v1/token?grant_type=password", headers, asked);
  if (status !== 200) throw new Error(`a sign-in answered ${status}: ${text}`);
}

/** A new one for each request, so that limits per address do not apply. */
function freshAddress(): string {
  lastAddress += 1;
  return `10.${lastAddress >> 16}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
}
