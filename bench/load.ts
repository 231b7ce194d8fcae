// Measures how much load the product can take: each kind of request at rising rates until its p95 exceeds 250 ms, then all kinds
// together, with memory and errors. Prints the table for results.md and the command for the soak. The argument is the seconds
// per step.
import { setTimeout as wait } from "node:timers/promises";
import { openDatabase } from "#platform/database/open-database.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { addAlerts, connectPeople, openChat } from "#test/delivery/delivery-fixture.ts";
import { numberedAlert } from "#test/delivery/delivery-processes.ts";
import { simulatedServices } from "#test/simulated-services.ts";
import { startBenchServer } from "./bench-server.ts";
import { describeMachine, type Memory, memoryOf } from "./load/machine.ts";
import { type Act, Arrivals } from "./load/open-loop.ts";
import { createVisitors, NO_LIMITS } from "./load/visitors.ts";

const STEP_SECONDS = Number(process.argv[2] ?? 3);
const MOST_P95_MS = 250;
const PEOPLE = 60;
const CHATS = 300;
const TELEGRAM_MS = 30;
const REST_MS = 1_000;
const SEARCH_STEPS = 2;
const POLL_MS = 5;
/** At higher rates the clients would be the bottleneck. */
const HIGHEST_RATE = 2_000;
const SMALLEST_SHARE = 0.1;

const FIRST_RATES = { landing: 5, "sign-in": 2, save: 20, realtime: 20, alerts: 4 };
type Kind = keyof typeof FIRST_RATES;
const KINDS = Object.keys(FIRST_RATES) as Kind[];

interface Step {
  readonly rates: Partial<Record<Kind, number>>;
  readonly p50: number;
  readonly p95: number;
  readonly errors: Map<string, number>;
  readonly memory: Memory;
  readonly isHeld: boolean;
}

const portal = await startPortalSimulator({ size: 2_000, newPerDay: 0, monthlyRequests: null });
const telegram = await startTelegramSimulator();
const server = await startBenchServer({ ...simulatedServices(portal, telegram), ...NO_LIMITS });
const sql = openDatabase({ url: server.databaseUrl, max: 10 });
const machine = await describeMachine(sql);
const visitors = await createVisitors({ port: server.port, sql, count: PEOPLE });
const messages = watchMessages(telegram);
const acts: Record<Kind, Act> = { ...visitors.acts, alerts: await createAlertAct() };
telegram.faults.set({ kind: "slow", ms: TELEGRAM_MS, times: Number.POSITIVE_INFINITY });

const rows: string[] = [];
const heldRates: Partial<Record<Kind, number>> = {};
for (const kind of KINDS) {
  const first = FIRST_RATES[kind];
  await step({ [kind]: first }, 1);
  const { held, past } = await climb(first, HIGHEST_RATE, (rate) => step({ [kind]: rate }));
  heldRates[kind] = held?.rates[kind] ?? 0;
  rows.push(rowOf(kind, held, past));
}
const mixAt = (share: number) =>
  Object.fromEntries(
    KINDS.flatMap((kind) => (heldRates[kind] ? [[kind, share * heldRates[kind]]] : [])),
  ) as Partial<Record<Kind, number>>;
const mix = await climb(SMALLEST_SHARE, 1, (share) => step(mixAt(share), STEP_SECONDS * 1.5));
rows.push(rowOf("all together", mix.held, mix.past));
visitors.close();
messages.stop();
await sql.end({ timeout: 5 });
await server.stop();
await Promise.all([portal.close(), telegram.close()]);

console.log(`${machine}\n
| | per second with p95 within ${MOST_P95_MS} ms | p50 | p95 | p95 exceeded at | p95 there | server | PostgreSQL | errors |
|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}\n`);
const half = KINDS.map((kind) => `${kind}=${figure((mix.held?.rates[kind] ?? 0) / 2)}`);
console.log(`Soak at half of the rates of "all together": npx node bench/soak.ts 10 ${half.join(" ")}`);

/** Doubles the rate until it fails twice (the machine may have been busy with something else), then narrows the gap. */
async function climb(lowest: number, highest: number, tryOut: (rate: number) => Promise<Step>) {
  let held: { at: number; step: Step } | undefined;
  let past: { at: number; step: Step } | undefined;
  for (let at = lowest; at <= highest && !past; at *= 2) {
    const first = await tryOut(at);
    const step = first.isHeld ? first : await tryOut(at);
    if (step.isHeld) held = { at, step };
    else past = { at, step };
  }
  for (let left = SEARCH_STEPS; left > 0 && past; left -= 1) {
    const at = Math.sqrt((held?.at ?? past.at / 4) * past.at);
    const step = await tryOut(at);
    if (step.isHeld) held = { at, step };
    else past = { at, step };
  }
  return { held: held?.step, past: past?.step };
}

async function step(rates: Partial<Record<Kind, number>>, seconds = STEP_SECONDS): Promise<Step> {
  const errors = new Map<string, number>();
  const coming = Object.entries(rates).map(([kind, rate]) => ({
    rate,
    arrivals: new Arrivals(acts[kind as Kind], (reason) => {
      const what = `${kind}: ${reason}`;
      errors.set(what, (errors.get(what) ?? 0) + 1);
    }),
  }));
  const until = Date.now() + seconds * 1000;
  const watched = watchMemory();
  await Promise.all(coming.map(({ arrivals, rate }) => arrivals.run(rate, until)));
  const memory = await watched.end();
  // Let the backlog of an overload drain before the next step.
  await wait(REST_MS);
  const all = coming.map(({ arrivals }) => arrivals);
  const p95 = Math.max(...all.map((arrivals) => arrivals.quantile(0.95)));
  console.error(
    `${JSON.stringify(rates)}: p95 ${Math.round(p95)} ms, ${[...errors].join(" ") || "no errors"}`,
  );
  return {
    rates,
    p50: Math.max(...all.map((arrivals) => arrivals.quantile(0.5))),
    p95,
    errors,
    memory,
    isHeld: p95 <= MOST_P95_MS,
  };
}

/** The maximum at any moment. */
function watchMemory() {
  let most: Memory = { serverMb: 0, postgresMb: 0 };
  const look = async () => {
    const { serverMb, postgresMb } = await memoryOf(server.pid, server.postmasterPid);
    most = {
      serverMb: Math.max(most.serverMb, serverMb),
      postgresMb: Math.max(most.postgresMb, postgresMb),
    };
  };
  const timer = setInterval(() => void look(), 1_000);
  return {
    end: async () => {
      clearInterval(timer);
      await look();
      return most;
    },
  };
}

function rowOf(name: string, held: Step | undefined, past: Step | undefined): string {
  const memory = past?.memory ?? held?.memory;
  const errors = (step: Step | undefined) =>
    [...(step?.errors ?? [])].map(([why, count]) => `${count} × ${why}`);
  return `| ${[
    name,
    held ? ratesOf(held) : "none",
    held ? `${Math.round(held.p50)} ms` : "",
    held ? `${Math.round(held.p95)} ms` : "",
    past ? ratesOf(past) : `above ${HIGHEST_RATE}`,
    past ? `${Math.round(past.p95)} ms` : "",
    `${Math.round(memory?.serverMb ?? 0)} MB`,
    `${Math.round(memory?.postgresMb ?? 0)} MB`,
    [...errors(held), ...errors(past).map((error) => `${error} (exceeded)`)].join(", ") || "none",
  ].join(" | ")} |`;
}

function ratesOf({ rates }: Step): string {
  const all = Object.entries(rates);
  return all.map(([kind, rate]) => (all.length > 1 ? `${kind} ${figure(rate)}` : figure(rate))).join(", ");
}

function figure(rate: number): string {
  return String(Number(rate.toPrecision(2)));
}

/** From the outbox until Telegram accepts. The time until a listing is found depends on the check interval, not on the load. */
async function createAlertAct(): Promise<Act> {
  const chats = Array.from({ length: CHATS }, () => openChat(telegram, "private"));
  const users = await connectPeople(
    sql,
    chats.map((id) => ({ chats: [{ id, kind: "private" as const }] })),
  );
  let number = 0;
  return async () => {
    number += 1;
    const sent = messages.next(`número ${number}.`);
    await addAlerts(sql, [numberedAlert(users[number % CHATS] ?? "", chats[number % CHATS] ?? 0, number)]);
    await sent;
  };
}

/** Lets a caller wait until Telegram has accepted a message with a given text. */
function watchMessages(telegram: TelegramSimulator) {
  const waiting = new Map<string, () => void>();
  let seen = 0;
  const timer = setInterval(() => {
    const { accepted } = telegram.ledger;
    for (; seen < accepted.length; seen += 1) {
      const { text = "" } = accepted[seen] ?? {};
      for (const [words, resolve] of waiting) {
        if (!text.includes(words)) continue;
        waiting.delete(words);
        resolve();
        break;
      }
    }
  }, POLL_MS);
  return {
    next: (words: string) => new Promise<void>((resolve) => waiting.set(words, resolve)),
    stop: () => clearInterval(timer),
  };
}
