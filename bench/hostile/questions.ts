// Sends generated requests, valid, mutated and hostile, to the data API, and checks that no text of theirs reaches a SQL statement,
// that no server error occurs and that memory does not grow. `questions.ts [number] [seed]`, by default 100,000 and a random
// seed. PostgreSQL logs every statement, and the log is searched for the texts of the requests.
import { readFile } from "node:fs/promises";
import { Agent } from "node:http";
import postgres from "postgres";
import { readCatalogue } from "#backend/rest/catalogue.ts";
import { startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";
import { askQuestions } from "#test/rest-questions/ask-questions.ts";
import { createQuestions } from "#test/rest-questions/create-questions.ts";
import { createStatementLog, STATEMENTS_LOGGED } from "#test/rest-questions/statement-log.ts";
import { seeded } from "#test/seeded.ts";
import type { TestRestApi } from "#test/test-rest-api.ts";
import { ask } from "../harness/ask.ts";
import { type Memory, memoryOf } from "../harness/machine.ts";
import { NO_LIMITS, signUp, startBenchServer } from "../harness/product.ts";

// A small heap: without it the collector lets garbage pile up, and a leak would look the same.
const SMALL_HEAP = ["--max-old-space-size=192"];
const [count = "100000", seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2);
const PARTS = 10;
/** Between the maximum of the first three parts and that of the last three. Within a part it depends on the garbage collector. */
const MAX_GROWTH_MB = 50;

const log = createStatementLog();
const database = await startMigratedPostgres(STATEMENTS_LOGGED, log.onLog);
const url = await database.create();
const owner = postgres(url, { max: 1, onnotice: () => {} });
const server = await startBenchServer({ ...NO_LIMITS, DATABASE_URL: url }, { execArgv: SMALL_HEAP });
const { token } = await signUp(server, 1, "198.51.100.1");
const agent = new Agent({ keepAlive: true });

const askServer: TestRestApi["ask"] = async ({ path, method = "GET", headers, body }, person) => {
  const { pathname, search } = new URL(`http://localhost/rest/v1/${path}`);
  const all = {
    apikey: server.publishableKey,
    "x-forwarded-for": person ? "198.51.100.1" : "198.51.100.2",
    ...(person ? { authorization: `Bearer ${person}` } : {}),
    ...headers,
  };
  const options = { method, agent, ...(body === undefined ? {} : { body }) };
  return { ...(await ask(server.port, pathname + search, all, options)), headers: new Headers() };
};
const next = createQuestions(await readCatalogue(owner), seeded(Number(seed)));
const run = (number: number) => askQuestions({ ask: askServer }, { next, count: number, person: token });

console.log(`${count} requests, seed ${seed}`);
const postmaster = await postmasterPid();
const startedAt = performance.now();
const answers = new Map<number, number>();
const faults: string[] = [];
const memory: Memory[] = [];
for (let part = 0; part < PARTS; part += 1) {
  const asked = await run(Number(count) / PARTS);
  for (const [status, times] of asked.answers) answers.set(status, (answers.get(status) ?? 0) + times);
  faults.push(...asked.wrong);
  memory.push(await memoryOf(server.pid, postmaster));
}
const seconds = (performance.now() - startedAt) / 1000;
await server.stop();
await owner.end();
await database.stop();

const mostOf = (parts: Memory[], name: keyof Memory) => Math.max(...parts.map((part) => part[name]));
const growthOf = (name: keyof Memory) => mostOf(memory.slice(-3), name) - mostOf(memory.slice(0, 3), name);
const partsOf = (name: keyof Memory) => memory.map((sample) => sample[name].toFixed(0)).join(" ");
console.table({
  "statements logged": log.count,
  "of them with a canary": log.withCanary.length,
  "server errors, or words of the question": faults.length,
  "questions a second": Math.round(Number(count) / seconds),
  "server's MB after each tenth": partsOf("serverMb"),
  "PostgreSQL's MB after each tenth": partsOf("postgresMb"),
});
console.log("Answers by status:", Object.fromEntries([...answers].toSorted(([a], [b]) => a - b)));
for (const line of [...faults.slice(0, 10), ...log.withCanary.slice(0, 10)]) console.log(line);
const isMet =
  faults.length + log.withCanary.length === 0 &&
  Math.max(growthOf("serverMb"), growthOf("postgresMb")) < MAX_GROWTH_MB;
console.log(
  `Target: no faults and no canaries, memory within ${MAX_GROWTH_MB} MB. ${isMet ? "Met." : "MISSED."}`,
);
process.exitCode = isMet ? 0 : 1;

async function postmasterPid(): Promise<number> {
  const [row] = await owner<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const stat = await readFile(`/proc/${row.pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}
