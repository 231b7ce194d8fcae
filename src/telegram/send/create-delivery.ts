// Takes alerts from the outbox to their chats: one sender at a time over all machines, woken by the database, and by the
// clock where a wake-up was lost. It is handed the channel and knows nothing of how a message looks.
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { listenFor } from "#platform/database/listen-for.ts";
import { takeSessionLock } from "#platform/database/session-lock.ts";
import { createWakeUp, sleep, withTimeout } from "#platform/timing.ts";
import { expirePausedAlerts } from "#store/outbox/alert-states.ts";
import { forgetOldPaces } from "#store/outbox/send-state.ts";
import type { Channel } from "./channel.ts";
import { systemClock } from "./clock.ts";
import { Dispatcher, type DispatcherOptions } from "./dispatcher.ts";
import { editMessages } from "./edit-messages.ts";
import { PATIENCE_MS } from "./retry-delay.ts";
import { sendDeletionNotices } from "./send-deletion-notices.ts";

export interface DeliveryOptions {
  /** For the connections of its own: the lock and the wake-ups. A pooler that shares connections will not do. */
  readonly databaseUrl: string;
  readonly sql: Sql;
  readonly channel: Channel;
  readonly logger: Logger;
  readonly leaseMs?: number;
  readonly onSend?: DispatcherOptions["onSend"];
}

export interface Delivery {
  start(): void;
  /** Finishes what is in flight, begins nothing more. */
  stop(): Promise<void>;
}

/** Longer than a message takes whose picture and then whose text waited out their twenty seconds. */
const LEASE_MS = 60_000;
const LOOK_AHEAD_MS = 300;
const SCAN_MS = 5_000;
const SCAN_ANEW_MS = 60_000;
const AFTER_TROUBLE_MS = 1_000;
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
        logger.error({ err: error }, "sending ended, and begins again");
        await sleep(AFTER_TROUBLE_MS);
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
  const clock = systemClock;
  const wakeUp = createWakeUp();
  signal.addEventListener("abort", wakeUp.call);
  let hasNews = true;
  let [scannedMs, scannedAnewMs] = [0, 0];
  const onNews = () => {
    hasNews = true;
    wakeUp.call();
  };
  // A wake-up that is lost costs the seconds until the next scan.
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
  let notices: Promise<void> | undefined;
  let edits: Promise<void> | undefined;
  const send: Dispatcher["sendAside"] = (message) => dispatcher.sendAside(message);
  const edit: Dispatcher["editAside"] = (message, id) => dispatcher.editAside(message, id);

  const scanIfDue = async (): Promise<void> => {
    const nowMs = clock.now();
    const isAnew = nowMs - scannedAnewMs >= SCAN_ANEW_MS;
    if (!(isAnew || hasNews || nowMs - scannedMs >= SCAN_MS)) return;
    hasNews = false;
    if (isAnew) await withTimeout(ANSWER_MS, tidy(sql, nowMs));
    await dispatcher.scan(isAnew);
    scannedMs = nowMs;
    if (isAnew) scannedAnewMs = nowMs;
    notices ??= sendDeletionNotices({ sql, now: clock.now, send })
      .catch((error: unknown) => logger.warn({ err: error }, "a chat was not told of a deleted account"))
      .finally(() => (notices = undefined));
    edits ??= editMessages({ sql, signal, now: clock.now, edit })
      .catch((error: unknown) => logger.warn({ err: error }, "a message was not edited"))
      .finally(() => (edits = undefined));
  };
  /** Looks, sends, and answers how long there is nothing to do. */
  const sendNow = async (): Promise<number> => {
    try {
      await scanIfDue();
      await dispatcher.pump();
    } catch (error) {
      hasNews = true;
      logger.warn({ err: error }, "the outbox could not be read");
      return AFTER_TROUBLE_MS;
    }
    return hasNews ? 0 : Math.min(dispatcher.nextMs(), scannedMs + SCAN_MS) - clock.now();
  };

  try {
    await dispatcher.open();
    logger.info({}, "this process sends the alerts");
    while (!signal.aborted) await wakeUp.sleep(await sendNow());
  } finally {
    await Promise.all([notices, edits]);
    await dispatcher.close().finally(listener.stop);
  }
}

async function tidy(sql: Sql, nowMs: number): Promise<void> {
  await expirePausedAlerts(sql, nowMs - PATIENCE_MS);
  await forgetOldPaces(sql, nowMs);
}
