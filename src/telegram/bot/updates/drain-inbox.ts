import type { Sql } from "postgres";
import { sleep, type WakeUp, withTimeout } from "#platform/timing.ts";
import {
  countFailedAttempt,
  FIRST_TURN,
  findWaitingUpdates,
  finishUpdates,
  setUpdateSource,
  type WaitingUpdate,
} from "../rows/inbox.ts";
import { parseUpdate } from "./handle-update.ts";
import { sourceOf } from "./read-update.ts";

const TRIES = 3;
const RETRY_MS = 500;
/** Updates handled concurrently, as many as the database handles well. */
const CONCURRENCY = 5;
/** An update that takes longer no longer counts towards CONCURRENCY. */
const LATE_MS = 500;
const MOST_IN_PROGRESS = 1_000;
const ANSWER_MS = 10_000;
/** Longer than all replies to one update can take. */
const HANDLING_MS = 60_000;

export interface InboxOptions {
  readonly sql: Sql;
  readonly now: () => number;
  /** On the last try, "failed" is final. */
  readonly handle: (content: string, isLastTry: boolean) => Promise<"done" | "failed">;
  readonly waits: WaitCounter;
  /** Called when there may be new updates. */
  readonly wakeUp: WakeUp;
  /** How often to look for updates without being woken. */
  readonly lookEveryMs: number;
  /** Handled updates that are not yet marked as done. Survives a database outage, so that they are not handled twice. */
  readonly unwritten: Set<string>;
  readonly signal: AbortSignal;
}

/** Counts the updates that only wait, for flood control or a retry. They do not count towards CONCURRENCY. */
export class WaitCounter {
  readonly #onWait: () => void;
  count = 0;

  constructor(onWait: () => void) {
    this.#onWait = onWait;
  }

  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    this.count += 1;
    this.#onWait();
    await sleep(ms, signal);
    this.count -= 1;
  }
}

interface InProgress {
  readonly ended: Promise<void>;
  isLate: boolean;
}

/**
 * Handles the updates in the inbox. Chats take turns, each with its oldest update: several chats at the same time, one
 * update per chat. An update that only waits does not delay other chats.
 */
export async function drainInbox(options: InboxOptions): Promise<void> {
  const { sql, now, wakeUp, waits, unwritten, lookEveryMs, signal } = options;
  const inProgress = new Map<string, InProgress>();
  const failures: unknown[] = [];
  let after = FIRST_TURN;
  const begin = (chatId: string, waiting: WaitingUpdate) => {
    const late = setTimeout(() => {
      update.isLate = true;
      wakeUp.call();
    }, LATE_MS);
    const ended = handleOne(options, waiting)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        clearTimeout(late);
        inProgress.delete(chatId);
        wakeUp.call();
      });
    const update: InProgress = { ended, isLate: false };
    inProgress.set(chatId, update);
    after = chatId;
  };
  signal.addEventListener("abort", wakeUp.call);
  try {
    await withTimeout(ANSWER_MS, finishUpdates(sql, [...unwritten], now()));
    unwritten.clear();
    while (!signal.aborted && failures.length === 0) {
      const limit = freeSlots(inProgress, waits);
      const turn = { after, except: [...inProgress.keys()], limit };
      const found = limit > 0 ? await withTimeout(ANSWER_MS, findWaitingUpdates(sql, turn)) : [];
      const sourceless = found.filter(({ chatId }) => chatId === null);
      for (const { updateId, content } of sourceless) {
        await withTimeout(ANSWER_MS, setUpdateSource(sql, updateId, sourceOf(parseUpdate(content))));
      }
      if (sourceless.length > 0) continue;
      for (const waiting of found) begin(waiting.chatId ?? "0", waiting);
      if (found.length === 0) await wakeUp.sleep(lookEveryMs);
    }
  } finally {
    await Promise.all([...inProgress.values()].map(({ ended }) => ended));
    signal.removeEventListener("abort", wakeUp.call);
  }
  if (failures.length > 0) throw failures[0];
}

function freeSlots(inProgress: ReadonlyMap<string, InProgress>, waits: WaitCounter): number {
  if (inProgress.size >= MOST_IN_PROGRESS) return 0;
  const prompt = [...inProgress.values()].filter(({ isLate }) => !isLate).length;
  return CONCURRENCY - Math.max(0, prompt - waits.count);
}

/** An update that keeps failing is given up after TRIES. */
async function handleOne(options: InboxOptions, { updateId, attempts, content }: WaitingUpdate) {
  const { sql, now, handle, waits, unwritten, signal } = options;
  const isLastTry = attempts >= TRIES - 1;
  const outcome = await withTimeout(HANDLING_MS, handle(content, isLastTry));
  if (outcome === "done" || isLastTry) {
    unwritten.add(updateId);
    await withTimeout(ANSWER_MS, finishUpdates(sql, [updateId], now()));
    unwritten.delete(updateId);
  } else {
    await withTimeout(ANSWER_MS, countFailedAttempt(sql, updateId));
    await waits.wait(RETRY_MS, signal);
  }
}
