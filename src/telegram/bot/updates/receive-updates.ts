import type { Api } from "grammy";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { sleep, withTimeout } from "#platform/timing.ts";
import { forgetOldUpdates, type IncomingUpdate, keepUpdates } from "#store/chats/inbox.ts";
import { readUpdate } from "./read-update.ts";

/** The kinds of updates the bot listens to; edits are not among them. */
export const ALLOWED_UPDATES = ["message", "channel_post", "callback_query", "my_chat_member"] as const;

const POLL_SECONDS = 30;
const ANSWER_MS = 10_000;
const FORGET_EVERY_MS = 60 * 60 * 1000;
/** Nothing that could be kept came: Telegram would send the same again at once. */
const AFTER_NONSENSE_MS = 1_000;
/** Confirms what has no right id, and nothing that has. */
const BEFORE_ALL = 1;

export interface ReceiveOptions {
  readonly api: Api;
  readonly sql: Sql;
  /** Called when something new lies in the inbox. */
  readonly onKept: () => void;
  readonly now: () => number;
  readonly logger: Logger;
  /** Telegram has answered. */
  readonly onAnswer: () => void;
  readonly signal: AbortSignal;
}

/**
 * Long polling. Updates are in the inbox before the next request confirms them, so none is lost; Telegram may send one
 * again, and the inbox knows it. After a quiet request no offset is sent: ids begin anew after a week of silence.
 */
export async function pollUpdates(options: ReceiveOptions): Promise<void> {
  const { api, logger, signal } = options;
  const forget = createForgetting(options);
  let offset: number | undefined;
  let passedOver = 0;
  while (!signal.aborted) {
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
    // What cannot be confirmed comes again and again, and is worth a line only once.
    if (count > passedOver) logger.warn({ count }, "updates of no known shape were passed over");
    passedOver = count;
    const newestId = await keepAll(options, updates);
    const isQuiet = values.length === 0;
    if (newestId !== undefined) offset = newestId + 1;
    else offset = isQuiet ? undefined : BEFORE_ALL;
    if (newestId === undefined && !isQuiet) await sleep(AFTER_NONSENSE_MS, signal);
    await forget();
  }
}

/** The newest id of them all. */
async function keepAll(
  { sql, now, onKept, logger }: ReceiveOptions,
  updates: readonly IncomingUpdate[],
): Promise<number | undefined> {
  const { kept, skipped } = await withTimeout(ANSWER_MS, keepUpdates(sql, updates, now()));
  if (skipped > 0) logger.info({ count: skipped }, "updates of who says too much were passed over");
  if (kept > 0) onKept();
  return updates.length === 0 ? undefined : Math.max(...updates.map(({ updateId }) => updateId));
}

/** The webhook fills the inbox. */
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
