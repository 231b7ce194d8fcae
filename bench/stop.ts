// Stops the product repeatedly while 16 clients keep it busy: `npm run serve` and `npm start` in turn, with each signal, sent to
// npm alone and to its process group as Ctrl-C in a terminal does. Each stop must take at most ten seconds, leave no process and
// write no error. The arguments are the number of stops and, to stop only one of the two, `serve` or `start`.
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "#backend/postgres/embedded-postgres.ts";
import { startMailSimulator } from "#simulators/mail/mail-simulator.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { isAlive, OPERATOR } from "#test/server-process.ts";
import { simulatedServices } from "#test/simulated-services.ts";

const STOPS = Number(process.argv[2] ?? 50);
const CLIENTS = 16;
const READY_WITHIN_MS = 300_000;
const STOP_WITHIN_MS = 10_000;
const COMMANDS = process.argv[3] ? [process.argv[3]] : ["serve", "start"];
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

const [mail, portal, telegram] = await Promise.all([
  startMailSimulator(),
  startPortalSimulator({ size: 200, monthlyRequests: null }),
  startTelegramSimulator(),
]);
const dataDir = await mkdtemp(join(tmpdir(), "sereno-stop-"));

async function startUnderNpm(command: string) {
  const [port, consolePort] = [await freePort(), await freePort()];
  const child = spawn("npm", ["run", command], {
    // A process group of its own, as in a terminal.
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...process.env,
      ...simulatedServices(portal, telegram),
      ...OPERATOR,
      PORT: String(port),
      CONSOLE_PORT: String(consolePort),
      SITE_URL: `http://localhost:${port}`,
      DATA_DIR: join(dataDir, command),
      SMTP_URL: mail.smtpUrl,
      MAIL_FROM: "Sereno <sereno@example.com>",
      LOG_LEVEL: "error",
    },
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    said += chunk;
  });
  const exited = new Promise<string>((resolve) =>
    child.once("exit", (code, signal) => resolve(String(code ?? signal))),
  );
  const url = `http://127.0.0.1:${port}`;
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (performance.now() > giveUpAt || child.exitCode !== null)
      throw new Error(`${command} did not start: ${said}`);
    await pause(100);
  }
  return {
    pid: child.pid ?? 0,
    url,
    exited,
    errors: () => said.match(/^.*\b(?:Error|CONNECTION_)\w*.*$/gm) ?? [],
  };
}

/** Each client alternates between pages, sign-ins and the data API. */
async function keepBusy(url: string, stopped: AbortSignal): Promise<void> {
  const { publishableKey } = (await (await fetch(`${url}/config.json`)).json()) as { publishableKey: string };
  const headers = { apikey: publishableKey, "content-type": "application/json" };
  const body = JSON.stringify({ email: "nobody@example.com", password: "wrong-password" });
  const questions = [
    () => fetch(`${url}/`, { signal: stopped }),
    () => fetch(`${url}/rest/v1/filter_settings?select=*`, { headers, signal: stopped }),
    () =>
      fetch(`${url}/auth/v1/token?grant_type=password`, { method: "POST", headers, body, signal: stopped }),
  ];
  const client = async (first: number) => {
    for (let n = first; !stopped.aborted; n += 1) {
      await questions[n % questions.length]?.()
        .then((answer) => answer.arrayBuffer())
        .catch(() => pause(5));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
}

function familyOf(pid: number): number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    rows.filter((row) => row[1] === parent).flatMap(([one = 0]) => [one, ...below(one)]);
  return [pid, ...below(pid)];
}

let worstMs = 0;
let failures = 0;
const exits = new Map<string, number>();
for (let round = 0; round < STOPS; round += 1) {
  const command = COMMANDS[round % COMMANDS.length] ?? "serve";
  const turn = Math.floor(round / COMMANDS.length);
  const signal = SIGNALS[turn % SIGNALS.length] ?? "SIGTERM";
  const isToGroup = Math.floor(turn / SIGNALS.length) % 2 === 1;
  const product = await startUnderNpm(command);
  const clients = new AbortController();
  const busy = keepBusy(product.url, clients.signal);
  await pause(300 + Math.random() * 1_500);
  const family = familyOf(product.pid);
  const startedAt = performance.now();
  process.kill(isToGroup ? -product.pid : product.pid, signal);
  const exit = await Promise.race([product.exited, pause(60_000, "none", { ref: false })]);
  // npm may exit before its children. The stop is complete when all processes are gone.
  while (family.some(isAlive) && performance.now() - startedAt < STOP_WITHIN_MS) await pause(20);
  const tookMs = performance.now() - startedAt;
  const left = family.filter(isAlive);
  clients.abort();
  await busy;
  worstMs = Math.max(worstMs, tookMs);
  const errors = product.errors();
  if (left.length > 0 || errors.length > 0) failures += 1;
  for (const pid of left) process.kill(pid, "SIGKILL");
  const target = isToGroup ? "the group" : "npm";
  const kind = `${command}, ${signal} to ${target}, npm's exit code ${exit}`;
  exits.set(kind, (exits.get(kind) ?? 0) + 1);
  console.log(
    `${round + 1}. ${kind}: ${Math.round(tookMs)} ms, ${family.length} processes, ${left.length} left ${errors.join(" ")}`,
  );
}
console.log([...exits].map(([kind, times]) => `${times} × ${kind}`).join("\n"));
console.log(
  `${STOPS} stops, the longest ${Math.round(worstMs)} ms, ${failures} that left a process, took too long or wrote an error`,
);
await Promise.all([
  mail.stop(),
  portal.close(),
  telegram.close(),
  rm(dataDir, { recursive: true, force: true }),
]);
process.exit(failures === 0 ? 0 : 1);
