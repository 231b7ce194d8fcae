import type { Sql } from "postgres";
import { sleep, type WakeUp, withTimeout } from "#platform/timing.ts";
import {
  countFailedAttempt,
  FIRST_TURN,
  findWaitingUpdates,
  finishUpdates,
  setUpdateSource,
  type WaitingUpdate,
} from "#store/chats/inbox.ts";
import { parseUpdate } from "./handle-update.ts";
import { sourceOf } from "./read-update.ts";

const TRIES = 3;
const RETRY_MS = 500;
/** Chats served side by side, as many as the database serves well. */
const AT_ONCE = 5;
/** An answer that takes longer keeps no place from others. */
const LATE_MS = 500;
const MOST_IN_HAND = 1_000;
const ANSWER_MS = 10_000;
/** Longer than the replies to one update can take, each of them waited for. */
const HANDLING_MS = 60_000;

export interface InboxOptions {
  readonly sql: Sql;
  readonly now: () => number;
  /** Answers whether it is worth another try; `isLastTry` says that there will be none. */
  readonly handle: (content: string, isLastTry: boolean) => Promise<"done" | "failed">;
  readonly waits: WaitCounter;
  /** Called when something may have come. */
  readonly wakeUp: WakeUp;
  /** How often to look without a call. */
  readonly lookEveryMs: number;
  /** Handled, and not written down yet: a database that was away must not have them handled again. */
  readonly unwritten: Set<string>;
  readonly signal: AbortSignal;
}

/** The updates in hand that only wait, for Telegram's leave or another try, and so keep no place from others. */
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

interface InHand {
  readonly ended: Promise<void>;
  isLate: boolean;
}

/**
 * Handles what waits in the inbox: chats take turns, each with its oldest update, several side by side, one at a time
 * in each. Who only waits for Telegram's leave, or for another try, holds up no other chat.
 */
export async function drainInbox(options: InboxOptions): Promise<void> {
  const { sql, now, wakeUp, waits, unwritten, lookEveryMs, signal } = options;
  const inHand = new Map<string, InHand>();
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
        inHand.delete(chatId);
        wakeUp.call();
      });
    const update: InHand = { ended, isLate: false };
    inHand.set(chatId, update);
    after = chatId;
  };
  signal.addEventListener("abort", wakeUp.call);
  try {
    await withTimeout(ANSWER_MS, finishUpdates(sql, [...unwritten], now()));
    unwritten.clear();
    while (!signal.aborted && failures.length === 0) {
      const limit = roomIn(inHand, waits);
      const turn = { after, except: [...inHand.keys()], limit };
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
    await Promise.all([...inHand.values()].map(({ ended }) => ended));
    signal.removeEventListener("abort", wakeUp.call);
  }
  if (failures.length > 0) throw failures[0];
}

function roomIn(inHand: ReadonlyMap<string, InHand>, waits: WaitCounter): number {
  if (inHand.size >= MOST_IN_HAND) return 0;
  const prompt = [...inHand.values()].filter(({ isLate }) => !isLate).length;
  return AT_ONCE - Math.max(0, prompt - waits.count);
}

/** An update that fails every time holds nothing up for long. */
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
