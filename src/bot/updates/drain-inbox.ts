import type { Sql } from "postgres";
import {
  countFailedAttempt,
  FIRST_TURN,
  findWaitingUpdates,
  finishUpdates,
  placeUpdate,
  type WaitingUpdate,
} from "#store/chats/inbox.ts";
import { within } from "#store/connection/within.ts";
import type { Bell } from "./bell.ts";
import { parseUpdate } from "./handle-update.ts";
import { sourceOf } from "./read-update.ts";
import type { Waits } from "./waits.ts";

const TRIES = 3;
const RETRY_MS = 500;
/** Chats dealt with side by side, as many as the database serves well. */
const AT_ONCE = 5;
/** An answer that takes longer keeps no place from others. */
const LATE_MS = 500;
const MOST_IN_HAND = 1_000;
const ANSWER_MS = 10_000;
/** Longer than the replies to one update can take, each of them waited for. */
const DEALING_MS = 60_000;

export interface Draining {
  readonly sql: Sql;
  /** Answers whether it is worth another try; `isLastTry` says that there will be none. */
  readonly deal: (content: string, isLastTry: boolean) => Promise<"done" | "failed">;
  readonly waits: Waits;
  /** Rung when something may have come. */
  readonly bell: Bell;
  /** How often to look without a ring. */
  readonly lookEveryMs: number;
  /** Dealt with, and not written down yet: a database that was away must not have them dealt with again. */
  readonly unwritten: Set<string>;
  readonly signal: AbortSignal;
}

interface Dealing {
  readonly ended: Promise<void>;
  isLate: boolean;
}

/**
 * Deals with what waits in the inbox: chats take turns, each with its oldest update, several side by side, one at a time
 * in each. Who only waits for Telegram's leave, or for another try, holds up no other chat.
 */
export async function drainInbox(draining: Draining): Promise<void> {
  const { sql, bell, waits, unwritten, lookEveryMs, signal } = draining;
  const inHand = new Map<string, Dealing>();
  const failures: unknown[] = [];
  let after = FIRST_TURN;
  const begin = (chatId: string, waiting: WaitingUpdate) => {
    const late = setTimeout(() => {
      dealing.isLate = true;
      bell.ring();
    }, LATE_MS);
    const ended = dealWithOne(draining, waiting)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        clearTimeout(late);
        inHand.delete(chatId);
        bell.ring();
      });
    const dealing: Dealing = { ended, isLate: false };
    inHand.set(chatId, dealing);
    after = chatId;
  };
  signal.addEventListener("abort", bell.ring);
  try {
    await within(ANSWER_MS, finishUpdates(sql, [...unwritten]));
    unwritten.clear();
    while (!signal.aborted && failures.length === 0) {
      const limit = roomIn(inHand, waits);
      const turn = { after, except: [...inHand.keys()], limit };
      const found = limit > 0 ? await within(ANSWER_MS, findWaitingUpdates(sql, turn)) : [];
      const unplaced = found.filter(({ chatId }) => chatId === null);
      for (const { updateId, content } of unplaced) {
        await within(ANSWER_MS, placeUpdate(sql, updateId, sourceOf(parseUpdate(content))));
      }
      if (unplaced.length > 0) continue;
      for (const waiting of found) begin(waiting.chatId ?? "0", waiting);
      if (found.length === 0) await bell.wait(lookEveryMs);
    }
  } finally {
    await Promise.all([...inHand.values()].map(({ ended }) => ended));
    signal.removeEventListener("abort", bell.ring);
  }
  if (failures.length > 0) throw failures[0];
}

function roomIn(inHand: ReadonlyMap<string, Dealing>, waits: Waits): number {
  if (inHand.size >= MOST_IN_HAND) return 0;
  const prompt = [...inHand.values()].filter(({ isLate }) => !isLate).length;
  return AT_ONCE - Math.max(0, prompt - waits.count);
}

/** A poison update holds nothing up for long. */
async function dealWithOne(draining: Draining, waiting: WaitingUpdate): Promise<void> {
  const { sql, deal, waits, unwritten, signal } = draining;
  const { updateId } = waiting;
  const isLastTry = waiting.attempts >= TRIES - 1;
  const outcome = await within(DEALING_MS, deal(waiting.content, isLastTry));
  if (outcome === "done" || isLastTry) {
    unwritten.add(updateId);
    await within(ANSWER_MS, finishUpdates(sql, [updateId]));
    unwritten.delete(updateId);
  } else {
    await within(ANSWER_MS, countFailedAttempt(sql, updateId));
    await waits.wait(RETRY_MS, signal);
  }
}
