// Measures reading one's own rows: statements and round trips per request, and requests per second with 16 people.
// `own-rows.ts [folder] [seconds]`: with the folder of another checkout both are measured alternately and their ratio is
// compared with the target. The seconds are per checkout.
import { Agent } from "node:http";
import { resolve } from "node:path";
import { type MigratedPostgres, startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";
import { ask } from "../harness/ask.ts";
import { cpuMsOf } from "../harness/machine.ts";
import { judge, milliseconds, quantile } from "../harness/measure.ts";
import { type BenchServer, NO_LIMITS, signUp, startBenchServer } from "../harness/product.ts";
import { startCountingProxy } from "./counting-proxy.ts";

const CLIENTS = 16;
// Short turns, so that other work of the machine affects both.
const TURN_MS = 1_000;
const COUNTED = 200;
const TARGET = 0.95;
const [other, seconds = "15"] = process.argv.slice(2);
const QUESTION = "/rest/v1/filter_settings?select=*&order=created_at";

type Person = { token: string };
type Tree = {
  server: BenchServer;
  people: Person[];
  times: number[];
  cpuMs: number;
  elapsedMs: number;
};

const database = await startMigratedPostgres();
const folders = { ...(other ? { before: resolve(other) } : {}), now: resolve(".") };
const counted: Record<string, Record<string, string>> = {};
const trees: Record<string, Tree> = {};
for (const [name, folder] of Object.entries(folders)) counted[name] = await countStatements(folder, database);
for (const [name, folder] of Object.entries(folders))
  trees[name] = await openTree(folder, await database.createBare());
for (const tree of Object.values(trees)) await measure(tree, 2_000);
for (const tree of Object.values(trees)) Object.assign(tree, { times: [], cpuMs: 0, elapsedMs: 0 });
for (let turn = 0; turn < Number(seconds); turn += 1) {
  for (const tree of Object.values(trees)) await measure(tree, TURN_MS);
}
console.table(
  Object.fromEntries(
    Object.entries(trees).map(([name, tree]) => [name, { ...counted[name], ...rowOf(tree) }]),
  ),
);
for (const { server } of Object.values(trees)) await server.stop();
await database.stop();
if (trees.before && trees.now) {
  const ratio = rateOf(trees.now) / rateOf(trees.before);
  judge(`${TARGET} times as many requests as before; measured ${ratio.toFixed(2)}`, ratio >= TARGET);
}

async function openTree(folder: string, databaseUrl: string): Promise<Tree> {
  const server = await startBenchServer({ ...NO_LIMITS, DATABASE_URL: databaseUrl }, { folder });
  const people: Person[] = [];
  for (let number = 0; number < CLIENTS; number += 1) people.push(await addPerson(server, number));
  return { server, people, times: [], cpuMs: 0, elapsedMs: 0 };
}

async function countStatements(
  folder: string,
  { createBare }: MigratedPostgres,
): Promise<Record<string, string>> {
  const proxy = await startCountingProxy(await createBare());
  const { server, people } = await openTree(folder, proxy.url);
  const read = () => ask(server.port, QUESTION, headersOf(server, people[0]));
  for (let number = 0; number < 20; number += 1) await read();
  const before = { ...proxy.counts };
  for (let number = 0; number < COUNTED; number += 1) await read();
  const perRequest = (count: keyof typeof before) =>
    ((proxy.counts[count] - before[count]) / COUNTED).toFixed(1);
  const counts = { statements: perRequest("statements"), "round trips": perRequest("roundTrips") };
  await server.stop();
  await proxy.stop();
  return counts;
}

async function measure(tree: Tree, forMs: number): Promise<void> {
  const { server, people, times } = tree;
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const startedAt = performance.now();
  const cpuBefore = await cpuMsOf(server.pid);
  await Promise.all(
    people.map(async (person, index) => {
      const headers = headersOf(server, person, index);
      while (performance.now() - startedAt < forMs) {
        const askedAt = performance.now();
        const { status, text } = await ask(server.port, QUESTION, headers, { agent });
        if (status !== 200 || !text.startsWith("[{")) throw new Error(`answered ${status}: ${text}`);
        times.push(performance.now() - askedAt);
      }
    }),
  );
  tree.elapsedMs += performance.now() - startedAt;
  tree.cpuMs += (await cpuMsOf(server.pid)) - cpuBefore;
  agent.destroy();
}

function rateOf({ times, elapsedMs }: Tree): number {
  return (times.length * 1000) / elapsedMs;
}

function rowOf(tree: Tree) {
  const { times, cpuMs, elapsedMs } = tree;
  return {
    "requests per second": Math.round(rateOf(tree)),
    p50: milliseconds(quantile(times, 0.5)),
    p95: milliseconds(quantile(times, 0.95)),
    "Node's CPU per request": milliseconds(cpuMs / times.length),
    "Node's share of a core": `${Math.round((100 * cpuMs) / elapsedMs)} %`,
  };
}

async function addPerson(server: BenchServer, number: number): Promise<Person> {
  const { token, userId } = await signUp(server, number, addressOf(number));
  const saved = await ask(server.port, "/rest/v1/filter_settings", headersOf(server, { token }, number), {
    method: "POST",
    body: JSON.stringify({
      user_id: userId,
      filter_url: "https://www.idealista.com/alquiler-viviendas/madrid-madrid/",
      receiver_ids: [String(1_000_000 + number)],
    }),
  });
  if (saved.status !== 201) throw new Error(`saving answered ${saved.status}: ${saved.text}`);
  return { token };
}

function addressOf(number: number): string {
  return `198.51.100.${number}`;
}

function headersOf({ publishableKey }: BenchServer, person: Person | undefined, number = 0) {
  return {
    apikey: publishableKey,
    authorization: `Bearer ${person?.token}`,
    "x-forwarded-for": addressOf(number),
  };
}
