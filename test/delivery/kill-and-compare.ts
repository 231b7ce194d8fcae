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
  /** How many alerts are written for each sender. */
  readonly perRound?: number;
}

export interface KillReport extends Judgement {
  readonly written: number;
  /** Calls Telegram turned away. */
  readonly refused: number;
}

const CHATS = 60;
/** Short, so that what a dead sender held is soon sent by the next. */
const LEASE_MS = 4_000;

/** Each sender lives until a random moment under load; the next, which waits already, takes over. */
export async function killSenders(options: KillOptions): Promise<KillReport> {
  return replaceSenders(options, async (sender, arrivals) => {
    // Not before it has sent something, or the kill would prove nothing.
    const before = arrivals();
    await until(() => arrivals() > before, 20_000);
    await pause(Math.random() * 600);
    sender.child.kill("SIGKILL");
    await sender.exited;
  });
}

/** Each sender is asked to stop under load, while the next already waits for its place. */
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
