// Takes alerts from the outbox to their chats: one sender at a time over all machines, woken by the database, and by the
// clock where a wake-up was lost. It is handed the channel and knows nothing of how a message looks.
import type { Sql } from "postgres";
import type { Channel } from "#core/ports/channel.ts";
import { listenFor } from "#store/connection/listen-for.ts";
import { takeSessionLock } from "#store/connection/session-lock.ts";
import { within } from "#store/connection/within.ts";
import { forgetOldPaces } from "#store/outbox/outbox-pace.ts";
import { expirePausedAlerts } from "#store/outbox/outbox-settle.ts";
import { type Clock, systemClock } from "./clock.ts";
import { DeliveryCounts, type OutcomeCounts } from "./delivery-counts.ts";
import type { DeliveryLogger } from "./delivery-logger.ts";
import { Dispatcher } from "./dispatcher.ts";
import { PATIENCE_MS } from "./retry-delay.ts";
import { Farewells } from "./send-farewells.ts";

export interface DeliveryOptions {
  /** For the connections of its own: the lock and the wake-ups. A pooler that shares connections will not do. */
  readonly databaseUrl: string;
  readonly sql: Sql;
  readonly channel: Channel;
  readonly logger: DeliveryLogger;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly leaseMs?: number;
}

export interface Delivery {
  start(): void;
  /** Finishes what is in flight, begins nothing more. */
  stop(): Promise<void>;
  /** This process is the one that sends. */
  readonly isSending: boolean;
  /** Telegram does not accept the token; everything waits. */
  readonly isRefused: boolean;
  readonly counts: OutcomeCounts;
}

/** Longer than a message takes whose picture and then whose text waited out their twenty seconds. */
const LEASE_MS = 60_000;
const LOOK_AHEAD_MS = 300;
const SWEEP_MS = 5_000;
const LOOK_ANEW_MS = 60_000;
const AFTER_TROUBLE_MS = 1_000;
const ANSWER_MS = 5_000;

export function createDelivery(options: DeliveryOptions): Delivery {
  const counts = new DeliveryCounts();
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let dispatcher: Dispatcher | undefined;

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const lock = await takeSessionLock({
        databaseUrl: options.databaseUrl,
        name: "telegram sender",
        signal: stopping.signal,
      });
      if (lock === undefined) return;
      const signal = AbortSignal.any([stopping.signal, lock.lost]);
      try {
        await sendWhile(signal, options, { counts, onOpen: (opened) => (dispatcher = opened) });
      } catch (error) {
        options.logger.error({ err: error }, "sending ended, and begins again");
        await new Promise((resolve) => setTimeout(resolve, AFTER_TROUBLE_MS));
      } finally {
        dispatcher = undefined;
        await lock.release();
      }
    }
  };

  return {
    start: () => {
      running ??= run();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
    get isSending() {
      return dispatcher !== undefined;
    },
    get isRefused() {
      return dispatcher?.isRefused ?? false;
    },
    get counts() {
      return counts.all;
    },
  };
}

interface SendingContext {
  readonly counts: DeliveryCounts;
  readonly onOpen: (dispatcher: Dispatcher) => void;
}

async function sendWhile(
  signal: AbortSignal,
  options: DeliveryOptions,
  { counts, onOpen }: SendingContext,
): Promise<void> {
  const { sql, databaseUrl, logger, clock = systemClock, random = Math.random, leaseMs = LEASE_MS } = options;
  const bell = createBell();
  signal.addEventListener("abort", bell.ring);
  const rounds: WatchTasks = { hasNews: true, sweptMs: 0, anewMs: 0 };
  const look = () => {
    rounds.hasNews = true;
    bell.ring();
  };
  // A wake-up that is lost costs the seconds until the next sweep.
  const ear = listenFor({ url: databaseUrl, channel: "alerts", onNotification: look, onListening: look });
  const dispatcher = new Dispatcher({
    ...{ sql, clock, logger, counts, random, leaseMs },
    channel: options.channel,
    lookAheadMs: LOOK_AHEAD_MS,
    onChange: bell.ring,
  });
  const farewells = new Farewells({
    sql,
    clock,
    logger,
    random,
    send: (message) => dispatcher.sendAside(message),
  });
  try {
    await dispatcher.open();
    onOpen(dispatcher);
    logger.info({}, "this process sends the alerts");
    while (!signal.aborted) {
      const { sweptMs } = rounds;
      const waitMs = await round(dispatcher, rounds, { sql, clock, logger });
      if (rounds.sweptMs !== sweptMs) farewells.begin();
      await bell.wait(waitMs, clock);
    }
  } finally {
    await farewells.settled();
    await dispatcher.close().finally(ear.stop);
  }
}

interface WatchTasks {
  /** Something was added to the outbox, or may have been. */
  hasNews: boolean;
  sweptMs: number;
  anewMs: number;
}

/** Looks, sends, and answers how long there is nothing to do. */
async function round(
  dispatcher: Dispatcher,
  rounds: WatchTasks,
  { sql, clock, logger }: { sql: Sql; clock: Clock; logger: DeliveryLogger },
): Promise<number> {
  const nowMs = clock.now();
  const isAnew = nowMs - rounds.anewMs >= LOOK_ANEW_MS;
  try {
    if (isAnew) await within(ANSWER_MS, tidy(sql, nowMs));
    if (isAnew || rounds.hasNews || nowMs - rounds.sweptMs >= SWEEP_MS) {
      rounds.hasNews = false;
      await dispatcher.scan(isAnew);
      rounds.sweptMs = nowMs;
      if (isAnew) rounds.anewMs = nowMs;
    }
    await dispatcher.pump();
  } catch (error) {
    rounds.hasNews = true;
    logger.warn({ err: error }, "the outbox could not be read");
    return AFTER_TROUBLE_MS;
  }
  const nextMs = Math.min(dispatcher.nextMs() ?? Number.POSITIVE_INFINITY, rounds.sweptMs + SWEEP_MS);
  return rounds.hasNews ? 0 : nextMs - clock.now();
}

async function tidy(sql: Sql, nowMs: number): Promise<void> {
  await expirePausedAlerts(sql, nowMs - PATIENCE_MS);
  await forgetOldPaces(sql, nowMs);
}

/** Wakes one sleeper; a ring before the sleep is not lost. */
function createBell() {
  let wake: (() => void) | undefined;
  let hasRung = false;
  return {
    ring: () => {
      hasRung = true;
      wake?.();
    },
    wait: async (ms: number, clock: Clock): Promise<void> => {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const callOff = clock.after(ms, resolve);
          wake = () => {
            callOff();
            resolve();
          };
        });
      }
      hasRung = false;
      wake = undefined;
    },
  };
}
