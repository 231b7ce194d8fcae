// Sends the alerts in the outbox. One process among all machines sends at a time. It is woken by a database notification,
// and scans the outbox periodically in case one is lost. It must not depend on how a message is rendered.
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { listenFor } from "#platform/database/listen-for.ts";
import { takeSessionLock } from "#platform/database/session-lock.ts";
import { createWakeUp, sleep, withTimeout } from "#platform/timing.ts";
import type { Channel } from "./channel.ts";
import { systemClock } from "./clock.ts";
import { Dispatcher, type DispatcherOptions } from "./dispatcher.ts";
import { editMessages } from "./edit-messages.ts";
import { PATIENCE_MS } from "./retry-delay.ts";
import { expirePausedAlerts } from "./rows/alert-states.ts";
import { scheduleGoneEdits } from "./rows/gone-edits.ts";
import { forgetOldPaces } from "./rows/send-state.ts";

export interface DeliveryOptions {
  /** The database's clock, where several machines share it. */
  readonly now?: () => number;
  /** For the connections that hold the lock and listen. A transaction pooler does not work here. */
  readonly databaseUrl: string;
  readonly sql: Sql;
  readonly channel: Channel;
  readonly logger: Logger;
  readonly leaseMs?: number;
  readonly onSend?: DispatcherOptions["onSend"];
}

export interface Delivery {
  start(): void;
  /** Finishes the messages in flight and starts no more. */
  stop(): Promise<void>;
}

/** Longer than a photo and then a text that both run into the timeout of 20 s. */
const LEASE_MS = 60_000;
const LOOK_AHEAD_MS = 600;
const SCAN_MS = 10_000;
const FULL_SCAN_MS = 60_000;
const RETRY_MS = 1_000;
const ANSWER_MS = 5_000;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { databaseUrl, logger } = options;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    const lockOptions = { databaseUrl, name: "telegram sender", signal: stopping.signal };
    while (!stopping.signal.aborted) {
      const lock = await takeSessionLock(lockOptions);
      if (lock === undefined) return;
      try {
        await sendUntil(AbortSignal.any([stopping.signal, lock.lost]), { ...options, isHeld: lock.isHeld });
      } catch (error) {
        logger.error({ err: error }, "sending failed, will restart");
        await sleep(RETRY_MS);
      } finally {
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
  };
}

async function sendUntil(
  signal: AbortSignal,
  options: DeliveryOptions & { isHeld: () => boolean },
): Promise<void> {
  const { sql, databaseUrl, channel, logger, isHeld, leaseMs = LEASE_MS } = options;
  const clock = { ...systemClock, now: options.now ?? systemClock.now };
  const wakeUp = createWakeUp();
  signal.addEventListener("abort", wakeUp.call);
  let hasNews = true;
  let [scannedMs, fullyScannedMs] = [0, 0];
  const onNews = () => {
    hasNews = true;
    wakeUp.call();
  };

  const listener = listenFor({
    url: databaseUrl,
    channel: "alerts",
    onNotification: onNews,
    onListening: onNews,
  });
  const dispatcher = new Dispatcher({
    ...{ sql, channel, clock, logger, leaseMs, isHeld, random: Math.random },
    lookAheadMs: LOOK_AHEAD_MS,
    onChange: wakeUp.call,
    onSend: options.onSend,
  });
  let edits: Promise<void> | undefined;
  const edit: Dispatcher["editAside"] = (message, due) => dispatcher.editAside(message, due);
  const editAll = async (isFull: boolean): Promise<void> => {
    if (isFull) await scheduleGoneEdits(sql, clock.now());
    await editMessages({ sql, signal, now: clock.now, edit });
  };

  const scanIfDue = async (): Promise<void> => {
    const nowMs = clock.now();
    const isFull = nowMs - fullyScannedMs >= FULL_SCAN_MS;
    if (!(isFull || hasNews || nowMs - scannedMs >= SCAN_MS)) return;
    hasNews = false;
    if (isFull) await withTimeout(ANSWER_MS, removeExpired(sql, nowMs));
    await dispatcher.scan(isFull);
    scannedMs = nowMs;
    if (isFull) fullyScannedMs = nowMs;
    edits ??= editAll(isFull)
      .catch((error: unknown) => logger.warn({ err: error }, "could not edit a message"))
      .finally(() => (edits = undefined));
  };
  /** Returns how long to wait before the next call. */
  const sendNow = async (): Promise<number> => {
    try {
      await scanIfDue();
      await dispatcher.pump();
    } catch (error) {
      hasNews = true;
      logger.warn({ err: error }, "could not read the outbox");
      return RETRY_MS;
    }
    return hasNews ? 0 : Math.min(dispatcher.nextMs(), scannedMs + SCAN_MS) - clock.now();
  };

  try {
    await dispatcher.open();
    logger.info({}, "this process sends the alerts");
    while (!signal.aborted) await wakeUp.sleep(await sendNow());
  } finally {
    await edits;
    await dispatcher.close().finally(listener.stop);
  }
}

async function removeExpired(sql: Sql, nowMs: number): Promise<void> {
  await expirePausedAlerts(sql, nowMs - PATIENCE_MS);
  await forgetOldPaces(sql, nowMs);
}
