// Runs the sender with a held clock, so that waits take no real time.

import type { Sql } from "postgres";
import type { ChatKind } from "#core/alert/chat.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { createHeldTelegramClock } from "#simulators/telegram/clock.ts";
import type { FloodLimits } from "#simulators/telegram/flood-control.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import type { Channel, SendOutcome } from "#telegram/send/channel.ts";
import type { Clock } from "#telegram/send/clock.ts";
import { createTelegramChannel } from "#telegram/send/create-telegram-channel.ts";
import { Dispatcher } from "#telegram/send/dispatcher.ts";
import { createTestDatabase } from "../test-database.ts";
import { addAlerts, connectPeople, type NewAlert, openChat } from "./delivery-fixture.ts";

type HeldClock = ReturnType<typeof createHeldTelegramClock>;

export interface DeliveryRun {
  readonly telegram: TelegramSimulator;
  readonly clock: HeldClock;
  /** All log lines and message repairs. */
  readonly log: string[];
  /** The outcomes of all messages, in order. */
  readonly outcomes: SendOutcome["type"][];
  /** A channel to the simulated Telegram. The timeout is in real seconds. */
  channel(timeoutSeconds?: number): Channel;
  /** Starts a sender, which takes over the state of the previous one. */
  startSender(channel?: Channel): Promise<Dispatcher>;
  /** Sends everything that becomes due within this time. */
  run(dispatcher: Dispatcher, ms?: number): Promise<void>;
  /** Creates a user with a search and connected chats of these kinds. */
  person(...kinds: ChatKind[]): Promise<{ user: string; chats: number[]; chat: number }>;
  /** Inserts alerts, dated now. */
  add(...alerts: NewAlert[]): Promise<void>;
  /** The number of alerts in each state: "2 sent". */
  states(): Promise<string[]>;
  textsIn(chatId: number): string[];
  close(): Promise<void>;
}

export interface DeliveryRunOptions {
  readonly sql: Sql;
  readonly floodControl?: boolean | Partial<FloodLimits>;
  readonly siteUrl?: string;
  /** Where the held clock starts; now by default. */
  readonly startMs?: number;
}

export async function startDeliveryRun({
  sql,
  floodControl = false,
  siteUrl,
  startMs = Date.now(),
}: DeliveryRunOptions): Promise<DeliveryRun> {
  const clock = createHeldTelegramClock(startMs);
  const telegram = await startTelegramSimulator({ clock, floodControl });
  const log: string[] = [];
  const outcomes: SendOutcome["type"][] = [];
  const write = (facts: object, message: string) => void log.push(`${message} ${JSON.stringify(facts)}`);
  const channel = (timeoutSeconds = 15) =>
    createTelegramChannel({
      token: telegram.bot.token,
      apiRoot: telegram.url,
      siteUrl: siteUrl ?? "https://sereno.example",
      timeoutSeconds,
      onRepair: (repair, error) => void log.push(`${repair} ${error}`),
    });
  const startSender = async (handed: Channel = channel()) => {
    const noting: Channel = {
      ...handed,
      send: async (message) => {
        const outcome = await handed.send(message);
        outcomes.push(outcome.type);
        return outcome;
      },
    };
    const dispatcher = new Dispatcher({
      ...{ sql, clock: clock as Clock, channel: noting },
      logger: { info: write, warn: write, error: write },
      random: () => 0.5,
      leaseMs: 60_000,
      lookAheadMs: 0,
      onChange: () => {},
    });
    await dispatcher.open();
    return dispatcher;
  };
  const run = async (dispatcher: Dispatcher, ms = 0) => {
    const end = clock.now() + ms;
    await dispatcher.scan(true);
    for (let step = 0; step < 10_000; step += 1) {
      await dispatcher.pump();
      await dispatcher.allWritten();
      const next = dispatcher.nextMs();
      if (next > end) break;
      if (next > clock.now()) clock.advance(Math.ceil(next) - clock.now());
    }
    if (clock.now() < end) clock.advance(end - clock.now());
  };
  const person = async (...kinds: ChatKind[]) => {
    const chats = kinds.map((kind) => ({ id: openChat(telegram, kind), kind }));
    const [user = ""] = await connectPeople(sql, [{ chats }]);
    return { user, chats: chats.map(({ id }) => id), chat: chats[0]?.id ?? 0 };
  };
  const add = (...alerts: NewAlert[]) =>
    addAlerts(
      sql,
      alerts.map((alert) => ({ at: clock.now(), ...alert })),
    );
  const states = async () =>
    (await sql`select state, count(*)::int as count from watch.alerts group by 1 order by 1`).map(
      ({ state, count }) => `${count} ${state}`,
    );
  const textsIn = (chatId: number) =>
    telegram.ledger.accepted.filter((message) => message.chatId === chatId).map(({ text }) => text);
  const close = () => telegram.close();
  return { telegram, clock, log, outcomes, channel, startSender, run, person, add, states, textsIn, close };
}

export interface OwnDelivery extends DeliveryRun {
  readonly sql: Sql;
}

/** The same on a new database, which is dropped when it closes. */
export async function startOwnDelivery(options: Omit<DeliveryRunOptions, "sql"> = {}): Promise<OwnDelivery> {
  const database = await createTestDatabase();
  const sql = openDatabase({ url: database.url, max: 4 });
  const delivery = await startDeliveryRun({ ...options, sql });
  const close = async () => {
    await delivery.close();
    await sql.end();
    await database.drop();
  };
  return { ...delivery, sql, close };
}
