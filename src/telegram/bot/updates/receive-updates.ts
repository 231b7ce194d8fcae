import type { Api } from "grammy";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { sleep, withTimeout } from "#platform/timing.ts";
import { forgetOldUpdates, type IncomingUpdate, keepUpdates } from "../rows/inbox.ts";
import { readUpdate } from "./read-update.ts";

/** Edited messages are not requested. */
export const ALLOWED_UPDATES = [
  "message",
  "channel_post",
  "callback_query",
  "my_chat_member",
  "inline_query",
] as const;

const POLL_SECONDS = 30;
const ANSWER_MS = 10_000;
const FORGET_EVERY_MS = 60 * 60 * 1000;
/**
 * The shortest time between two polls that bring no valid update. Telegram repeats an invalid one at once, and a proxy may
 * not hold an empty poll.
 */
const EMPTY_POLL_MS = 1_000;
/** Confirms updates with invalid ids, and no valid one. */
const LOWEST_OFFSET = 1;

export interface ReceiveOptions {
  readonly api: Api;
  readonly sql: Sql;
  /** Called when the inbox has new updates. */
  readonly onKept: () => void;
  readonly now: () => number;
  readonly logger: Logger;
  /** Called when Telegram has answered. */
  readonly onAnswer: () => void;
  readonly signal: AbortSignal;
}

/**
 * Long polling. Updates are stored before the next request confirms them, so none is lost. The inbox ignores an update
 * that Telegram sends twice. After an empty response no offset is sent, because ids restart after a week without updates.
 */
export async function pollUpdates(options: ReceiveOptions): Promise<void> {
  const { api, logger, signal } = options;
  const forget = createForgetting(options);
  let offset: number | undefined;
  let skippedCount = 0;
  while (!signal.aborted) {
    const askedAt = performance.now();
    const answer: unknown = await api.getUpdates(
      {
        timeout: POLL_SECONDS,
        allowed_updates: ALLOWED_UPDATES,
        ...(offset === undefined ? {} : { offset }),
      },
      signal as Parameters<Api["getUpdates"]>[1],
    );
    options.onAnswer();
    const values: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
    const updates = values.map(readUpdate).filter((update) => update !== undefined);
    const count = values.length - updates.length;
    // Updates that cannot be confirmed come again and again. Log them once.
    if (count > skippedCount) logger.warn({ count }, "skipped invalid updates");
    skippedCount = count;
    const newestId = await keepAll(options, updates);
    const isEmpty = values.length === 0;
    if (newestId !== undefined) offset = newestId + 1;
    else offset = isEmpty ? undefined : LOWEST_OFFSET;
    const elapsedMs = performance.now() - askedAt;
    if (newestId === undefined && elapsedMs < EMPTY_POLL_MS) await sleep(EMPTY_POLL_MS - elapsedMs, signal);
    await forget();
  }
}

/** Stores the updates and returns the highest id. */
async function keepAll(
  { sql, now, onKept, logger }: ReceiveOptions,
  updates: readonly IncomingUpdate[],
): Promise<number | undefined> {
  const { kept, skipped } = await withTimeout(ANSWER_MS, keepUpdates(sql, updates, now()));
  if (skipped > 0) logger.info({ count: skipped }, "skipped updates of chats over their limit");
  if (kept > 0) onKept();
  return updates.length === 0 ? undefined : Math.max(...updates.map(({ updateId }) => updateId));
}

/** With a webhook, the HTTP handler fills the inbox; this only deletes old updates. */
export async function awaitUpdates(options: ReceiveOptions): Promise<void> {
  const { signal } = options;
  options.onAnswer();
  const forget = createForgetting(options);
  while (!signal.aborted) {
    await forget();
    await sleep(FORGET_EVERY_MS, signal);
  }
}

function createForgetting({ sql, now }: ReceiveOptions): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    if (now() < nextAt) return;
    nextAt = now() + FORGET_EVERY_MS;
    await withTimeout(ANSWER_MS, forgetOldUpdates(sql, now()));
  };
}
