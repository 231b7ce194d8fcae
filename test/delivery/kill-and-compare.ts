import type { Sql } from "postgres";
import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { addAlerts, connectPeople, openChat } from "./delivery-fixture.ts";
import {
  type Judgement,
  judge,
  numberedAlert,
  pause,
  type Sender,
  spawnSender,
  until,
} from "./delivery-processes.ts";

export interface KillOptions {
  readonly databaseUrl: string;
  readonly sql: Sql;
  readonly telegram: TelegramSimulator;
  readonly times: number;
  /** Alerts written per sender. */
  readonly perRound?: number;
}

export interface KillReport extends Judgement {
  readonly written: number;
  /** Calls refused by Telegram. */
  readonly refused: number;
}

const CHATS = 60;
/** Short, so that the next sender soon sends what a dead one had leased. */
const LEASE_MS = 4_000;

/** Kills each sender at a random moment under load; the next one, already waiting, takes over. */
export async function killSenders(options: KillOptions): Promise<KillReport> {
  return replaceSenders(options, async (sender, arrivals) => {
    // Kill it only after it has sent something, otherwise the kill proves nothing.
    const before = arrivals();
    await until(() => arrivals() > before, 20_000);
    await pause(Math.random() * 600);
    sender.child.kill("SIGKILL");
    await sender.exited;
  });
}

/** Stops each sender under load, while the next one already waits. */
export async function restartSenders(options: KillOptions): Promise<KillReport> {
  return replaceSenders(options, async (sender, arrivals) => {
    const before = arrivals();
    await until(() => arrivals() > before, 20_000);
    await pause(Math.random() * 400);
    sender.child.kill("SIGTERM");
    const code = await sender.exited;
    if (code !== 0) throw new Error(`a sender ended with ${code}\n${sender.output()}`);
  });
}

async function replaceSenders(
  { databaseUrl, sql, telegram, times, perRound = 40 }: KillOptions,
  end: (sender: Sender, arrivals: () => number) => Promise<void>,
): Promise<KillReport> {
  const chats = Array.from({ length: CHATS }, () => openChat(telegram, "private"));
  const users = await connectPeople(
    sql,
    chats.map((id) => ({ chats: [{ id, kind: "private" as const }] })),
  );
  let written = 0;
  const write = async () => {
    const numbers = Array.from({ length: perRound }, (_, index) => written + index);
    written += perRound;
    await addAlerts(
      sql,
      numbers.map((number) => numberedAlert(users[number % CHATS] ?? "", chats[number % CHATS] ?? 0, number)),
    );
  };
  const arrivals = () => telegram.ledger.accepted.length;
  let sender = spawnSender(databaseUrl, telegram, LEASE_MS);
  for (let round = 0; round < times; round += 1) {
    await Promise.all([write(), sender.sending]);
    const next = spawnSender(databaseUrl, telegram, LEASE_MS);
    await end(sender, arrivals);
    sender = next;
  }
  const isOpen = async () => {
    const [row] = await sql<[{ open: boolean }]>`
      select exists (select from watch.alerts where state in ('pending', 'sending')) as open`;
    return row.open;
  };
  await until(async () => !(await isOpen()), 120_000 + times * 1000);
  sender.child.kill("SIGTERM");
  await sender.exited;
  return {
    ...judge(telegram, written),
    written,
    refused: telegram.ledger.refused.length,
  };
}
