// What does it cost to read one's own rows? Statements and round trips for one request, and requests a second with 16
// people at once. `own-rows.ts [folder] [seconds]`: with the folder of another checkout both are measured in turns, on
// this machine, and the ratio is judged; seconds is for each.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type MigratedPostgres, startMigratedPostgres } from "#test/migrated-postgres.ts";
import { milliseconds, quantile } from "./bench-server.ts";
import { startCountingProxy } from "./counting-proxy.ts";

const CLIENTS = 16;
// Short turns: whatever else the machine does meanwhile falls on both.
const TURN_MS = 1_000;
const COUNTED = 200;
const TARGET = 2.5;
const [other, seconds = "15"] = process.argv.slice(2);
const QUESTION = "/rest/v1/filter_settings?select=*&order=created_at";

type Server = { child: ChildProcess; port: number; folder: string };
type Person = { token: string };
type Tree = {
  server: Server;
  key: string;
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
  trees[name] = await openTree(folder, await database.create());
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
for (const { server } of Object.values(trees)) await stopServer(server);
await database.stop();
if (trees.before && trees.now) {
  const ratio = rateOf(trees.now) / rateOf(trees.before);
  const isHeld = ratio >= TARGET;
  console.log(`Ratio ${ratio.toFixed(2)}; target ${TARGET}. ${isHeld ? "Held." : "NOT held."}`);
  process.exitCode = isHeld ? 0 : 1;
}

async function openTree(folder: string, databaseUrl: string): Promise<Tree> {
  const server = await startServer(folder, databaseUrl);
  const { publishableKey: key } = JSON.parse((await ask(server.port, "/config.json", {})).text);
  const people: Person[] = [];
  for (let number = 0; number < CLIENTS; number += 1) people.push(await signUp(server.port, key, number));
  return { server, key, people, times: [], cpuMs: 0, elapsedMs: 0 };
}

async function countStatements(
  folder: string,
  { create }: MigratedPostgres,
): Promise<Record<string, string>> {
  const proxy = await startCountingProxy(await create());
  const { server, key, people } = await openTree(folder, proxy.url);
  const read = () => ask(server.port, QUESTION, headersOf(key, people[0]));
  for (let number = 0; number < 20; number += 1) await read();
  const before = { ...proxy.counts };
  for (let number = 0; number < COUNTED; number += 1) await read();
  const perRequest = (count: keyof typeof before) =>
    ((proxy.counts[count] - before[count]) / COUNTED).toFixed(1);
  const counts = { statements: perRequest("statements"), "round trips": perRequest("roundTrips") };
  await stopServer(server);
  await proxy.stop();
  return counts;
}

async function measure(tree: Tree, forMs: number): Promise<void> {
  const { server, key, people, times } = tree;
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const startedAt = performance.now();
  const cpuBefore = await cpuMsOf(server.child.pid);
  await Promise.all(
    people.map(async (person, index) => {
      const headers = headersOf(key, person, index);
      while (performance.now() - startedAt < forMs) {
        const askedAt = performance.now();
        const { status, text } = await ask(server.port, QUESTION, headers, { agent });
        if (status !== 200 || !text.startsWith("[{")) throw new Error(`answered ${status}: ${text}`);
        times.push(performance.now() - askedAt);
      }
    }),
  );
  tree.elapsedMs += performance.now() - startedAt;
  tree.cpuMs += (await cpuMsOf(server.child.pid)) - cpuBefore;
  agent.destroy();
}

function rateOf({ times, elapsedMs }: Tree): number {
  return (times.length * 1000) / elapsedMs;
}

function rowOf(tree: Tree) {
  const { times, cpuMs, elapsedMs } = tree;
  return {
    "requests a second": Math.round(rateOf(tree)),
    p50: milliseconds(quantile(times, 0.5)),
    p95: milliseconds(quantile(times, 0.95)),
    "Node's CPU a request": milliseconds(cpuMs / times.length),
    "Node's share of a core": `${Math.round((100 * cpuMs) / elapsedMs)} %`,
  };
}

async function startServer(folder: string, databaseUrl: string): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), "sereno-bench-"));
  const child = fork("src/server/main.ts", {
    cwd: folder,
    execArgv: process.env.BENCH_EXEC_ARGV?.split(" ") ?? [],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      PORT: "0",
      ROLES: "web",
      SITE_URL: "http://localhost:3000",
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "Sereno <sereno@example.com>",
      LOG_LEVEL: "warn",
      TRUSTED_PROXIES: "1",
      SIGN_UPS_PER_ADDRESS_PER_DAY: "0",
      API_REQUESTS_PER_MINUTE_PER_ADDRESS: "100000000",
      API_REQUESTS_PER_MINUTE_PER_PERSON: "100000000",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  for (;;) {
    const [message] = (await once(child, "message")) as [{ ready?: { port: number } }];
    if (message.ready) return { child, port: message.ready.port, folder: dataDir };
  }
}

async function stopServer({ child, folder }: Server): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
  await rm(folder, { recursive: true, force: true });
}

async function signUp(port: number, key: string, number: number): Promise<Person> {
  const credentials = { email: `person-${number}@example.com`, password: "a-long-password-of-theirs" };
  const body = JSON.stringify({ ...credentials, data: { full_name: `Person ${number}` } });
  const answer = await ask(
    port,
    "/auth/v1/signup",
    { apikey: key, ...addressOf(number) },
    { method: "POST", body },
  );
  const { access_token: token, user } = JSON.parse(answer.text);
  const saved = await ask(port, "/rest/v1/filter_settings", headersOf(key, { token }, number), {
    method: "POST",
    body: JSON.stringify({
      user_id: user.id,
      filter_url: "https://www.idealista.com/alquiler-viviendas/madrid-madrid/",
      receiver_ids: [String(1_000_000 + number)],
    }),
  });
  if (saved.status !== 201) throw new Error(`saving answered ${saved.status}: ${saved.text}`);
  return { token };
}

function addressOf(number: number) {
  return { "x-forwarded-for": `198.51.100.${number}` };
}

function headersOf(key: string, person: Person | undefined, number = 0): Record<string, string> {
  return { apikey: key, authorization: `Bearer ${person?.token}`, ...addressOf(number) };
}

type Options = { method?: string; body?: string; agent?: Agent };

function ask(port: number, path: string, headers: Record<string, string>, options: Options = {}) {
  const { body, ...rest } = options;
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = body ? { ...headers, "content-type": "application/json" } : headers;
    const asked = request({ host: "127.0.0.1", port, path, headers: sent, ...rest }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** Linux alone tells what another process has used, in hundredths of a second. */
async function cpuMsOf(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}
