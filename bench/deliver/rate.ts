// How fast alerts are sent into a Telegram that forgives nothing, and how long one takes below that load.

import { openDatabase } from "#platform/database/open-database.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { addAlerts, connectPeople, openChat } from "#test/delivery/delivery-fixture.ts";
import {
  arrivedIn,
  judge,
  numberedAlert,
  pause,
  spawnSender,
  until,
} from "#test/delivery/delivery-processes.ts";
import { startMigratedPostgres } from "#test/migrated-postgres.ts";
import { quantile } from "../bench-server.ts";

const CHATS = 600;
const SECONDS = Number(process.argv[2] ?? 60);
const PER_SECOND_BELOW = 20;
const LEAST_PER_SECOND = 29;
const MOST_P95_MS = 1500;

const server = await startMigratedPostgres();
const databaseUrl = await server.create();
const sql = openDatabase({ url: databaseUrl, max: 4 });
const telegram = await startTelegramSimulator({ floodControl: { chatCounting: "window" } });
const chats = Array.from({ length: CHATS }, () => openChat(telegram, "private"));
const users = await connectPeople(
  sql,
  chats.map((id) => ({ chats: [{ id, kind: "private" as const }] })),
);
const alertOf = (number: number) =>
  numberedAlert(users[number % CHATS] ?? "", chats[number % CHATS] ?? 0, number);
let written = 0;
const write = async (count: number) => {
  const numbers = Array.from({ length: count }, (_, index) => written + index);
  written += count;
  await addAlerts(sql, numbers.map(alertOf));
};

const sender = spawnSender(databaseUrl, telegram);
await sender.sending;
const full = await measureFullLoad();
const below = await measureBelow();
sender.child.kill("SIGTERM");
await sender.exited;
await telegram.close();
await sql.end();
await server.stop();

const refused = telegram.ledger.refused.length;
const { lost, duplicates, outOfOrder } = judge(telegram, written);
console.table({
  "messages a second": full.perSecond.toFixed(2),
  "slowest ten seconds, a second": full.slowest.toFixed(2),
  "p50 outbox to acceptance": `${Math.round(quantile(below, 0.5))} ms`,
  "p95 outbox to acceptance": `${Math.round(quantile(below, 0.95))} ms`,
  "p99 outbox to acceptance": `${Math.round(quantile(below, 0.99))} ms`,
  "told to wait (429)": refused,
  ...{ written, lost, duplicates, "out of order": outOfOrder },
});
const isFine =
  full.perSecond >= LEAST_PER_SECOND &&
  quantile(below, 0.95) < MOST_P95_MS &&
  refused + lost + duplicates + outOfOrder === 0;
process.exitCode = isFine ? 0 : 1;

/** A backlog that outlasts the measurement, over the seconds in the middle of it. */
async function measureFullLoad(): Promise<{ perSecond: number; slowest: number }> {
  const before = telegram.ledger.accepted.length;
  await write((SECONDS + 5) * 30);
  const started = await until(() => telegram.ledger.accepted.length > before + 60, 20_000);
  if (!started) throw new Error(`nothing was sent\n${sender.output()}`);
  const from = Date.now();
  await pause(SECONDS * 1000);
  const times = telegram.ledger.accepted
    .map(({ at }) => at)
    .filter((at) => at >= from && at < from + SECONDS * 1000);
  const tens = Array.from(
    { length: Math.floor(SECONDS / 10) },
    (_, ten) => times.filter((at) => Math.floor((at - from) / 10_000) === ten).length / 10,
  );
  await until(() => telegram.ledger.accepted.length >= written, 60_000);
  return { perSecond: times.length / SECONDS, slowest: Math.min(...tens) };
}

/** One by one, at a pace below the limit. */
async function measureBelow(): Promise<number[]> {
  await pause(2_000);
  const first = written;
  const writtenAt = new Map<number, number>();
  for (let count = 0; count < PER_SECOND_BELOW * (SECONDS / 2); count += 1) {
    writtenAt.set(written, Date.now());
    await Promise.all([write(1), pause(1000 / PER_SECOND_BELOW)]);
  }
  await until(() => telegram.ledger.accepted.length >= written, 20_000);
  return arrivedIn(telegram)
    .filter(({ number }) => number >= first)
    .map(({ number, at }) => at - (writtenAt.get(number) ?? Number.NaN));
}
