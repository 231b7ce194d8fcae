// Senders in separate processes, checked against the simulated Telegram's ledger.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { type NewAlert, newListing } from "./delivery-fixture.ts";

export interface Sender {
  readonly child: ChildProcess;
  /** Resolves when the process holds the lock and sends. */
  readonly sending: Promise<void>;
  readonly exited: Promise<number | null>;
  /** The output of the process. */
  output(): string;
}

export function spawnSender(databaseUrl: string, telegram: TelegramSimulator, leaseMs?: number): Sender {
  const child = spawn(process.execPath, [fileURLToPath(new URL("worker.ts", import.meta.url))], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      TELEGRAM_API_ROOT: telegram.url,
      TELEGRAM_BOT_TOKEN: telegram.bot.token,
      LEASE_MS: leaseMs === undefined ? "" : String(leaseMs),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const started = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk;
      if (output.includes("this process sends")) started.resolve();
    });
  }
  const exited = once(child, "exit").then(([code]) => {
    started.resolve();
    return code as number | null;
  });
  return { child, sending: started.promise, exited, output: () => output };
}

/** An alert with a unique number in its text. */
export function numberedAlert(userId: string, chatId: number, number: number): NewAlert {
  return newListing(userId, chatId, String(number), { address: `calle número ${number}.` });
}

/** The numbers of the alerts that arrived, in order of arrival. */
function arrivedIn(telegram: TelegramSimulator): { number: number; chatId: number; at: number }[] {
  return telegram.ledger.accepted.map(({ text, chatId, at }) => ({
    number: Number(/número (\d+)\./.exec(text)?.[1]),
    chatId,
    at,
  }));
}

export interface Judgement {
  readonly lost: number;
  readonly duplicates: number;
  /** The number of alerts that first arrived after a later one of the same chat. */
  readonly outOfOrder: number;
}

/** Requires that alerts were numbered in the order they were written. */
export function judge(telegram: TelegramSimulator, written: number): Judgement {
  const arrived = arrivedIn(telegram);
  const seen = new Set<number>();
  const newest = new Map<number, number>();
  let outOfOrder = 0;
  for (const { number, chatId } of arrived) {
    if (seen.has(number)) continue;
    seen.add(number);
    if (number < (newest.get(chatId) ?? 0)) outOfOrder += 1;
    newest.set(chatId, Math.max(number, newest.get(chatId) ?? 0));
  }
  return { lost: written - seen.size, duplicates: arrived.length - seen.size, outOfOrder };
}

export async function until(isSo: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  for (const end = Date.now() + limitMs; Date.now() < end; ) {
    if (await isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
