import type { Update } from "grammy/types";
import type { Sql } from "postgres";
import { countFailedAttempt, findWaitingUpdate, finishUpdate } from "#store/inbox.ts";
import { pauseFor } from "./pause-for.ts";

const TRIES = 3;
const RETRY_MS = 500;

export interface Draining {
  readonly sql: Sql;
  /** Answers whether it is worth another try; `isLastTry` says that there will be none. */
  readonly deal: (update: Update, isLastTry: boolean) => Promise<"done" | "failed">;
  readonly signal: AbortSignal;
}

/** Deals with what waits in the inbox, one after another, oldest first. A poison update holds nothing up for long. */
export async function drainInbox({ sql, deal, signal }: Draining): Promise<void> {
  while (!signal.aborted) {
    const waiting = await findWaitingUpdate(sql);
    if (waiting === undefined) return;
    const isLastTry = waiting.attempts >= TRIES - 1;
    const outcome = await deal(JSON.parse(waiting.content) as Update, isLastTry);
    if (outcome === "done" || isLastTry) {
      await finishUpdate(sql, waiting.updateId);
    } else {
      await countFailedAttempt(sql, waiting.updateId);
      await pauseFor(RETRY_MS, signal);
    }
  }
}
