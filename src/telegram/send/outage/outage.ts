import type { Sql } from "postgres";
import type { SendOutcome } from "../channel.ts";
import { readAwaySince, saveAwaySince } from "../rows/send-state.ts";
import type { Write } from "../write-until-done.ts";

/** Since when Telegram has not answered. The mails with waiting alerts and the operator's alarm read it from the database. */
export class Outage {
  #sinceMs: number | null = null;

  async open(sql: Sql): Promise<void> {
    this.#sinceMs = await readAwaySince(sql);
  }

  get isAway(): boolean {
    return this.#sinceMs !== null;
  }

  /** Returns the write that records a beginning or an end. */
  note(outcome: SendOutcome, nowMs: number): Write[] {
    const sinceMs = isAway(outcome) ? (this.#sinceMs ?? nowMs) : null;
    if (sinceMs === this.#sinceMs) return [];
    this.#sinceMs = sinceMs;
    return [(sql) => saveAwaySince(sql, sinceMs)];
  }
}

/** Every other outcome is an answer of Telegram. */
function isAway(outcome: SendOutcome): boolean {
  return outcome.type === "unknown" || (outcome.type === "failed" && outcome.isServerDown === true);
}
