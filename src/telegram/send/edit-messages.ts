import type { Sql } from "postgres";
import type { ChannelMessage, SendOutcome } from "./channel.ts";
import { mayNotify } from "./decide-alert.ts";
import { messageOf } from "./message-of.ts";
import { floodDelayMs } from "./retry-delay.ts";
import { type DueEdit, finishEdit, postponeEdit, takeEdit } from "./rows/alert-edits.ts";
import { readAudiences } from "./rows/audiences.ts";
import { readSentAlerts } from "./rows/outbox.ts";

interface EditOptions {
  readonly sql: Sql;
  readonly now: () => number;
  /** No edit starts after it is aborted. */
  readonly signal: AbortSignal;
  /** Returns undefined if the rate limits or waiting alerts do not allow an edit now. */
  readonly edit: (message: ChannelMessage, edit: DueEdit) => Promise<SendOutcome | undefined>;
}

const NO_ROOM_MS = 2_000;

/** Edits the messages that are due. New alerts go first. */
export async function editMessages({ sql, now, signal, edit }: EditOptions): Promise<void> {
  while (!signal.aborted) {
    const takenMs = now();
    const due = await takeEdit(sql, takenMs);
    if (due === undefined) return;
    const message = await messageOfEdit(sql, due, takenMs);
    const outcome = message === undefined ? "gone" : await edit(message, due);
    if (outcome === undefined || (outcome !== "gone" && outcome.type === "refused-us")) {
      return postponeEdit(sql, due, now() + NO_ROOM_MS);
    }
    if (outcome === "gone" || ["sent", "hopeless", "closed", "moved"].includes(outcome.type)) {
      await finishEdit(sql, due, takenMs);
    } else if (outcome.type === "flood") {
      await postponeEdit(sql, due, now() + floodDelayMs(outcome.retryAfterMs, Math.random));
    }
    // Other failures are retried a few times, a minute later each: takeEdit has postponed the edit.
  }
}

/** Returns undefined if the chat is no longer connected. */
async function messageOfEdit(sql: Sql, due: DueEdit, nowMs: number): Promise<ChannelMessage | undefined> {
  const [first, ...others] = await readSentAlerts(sql, due);
  if (first === undefined || !mayNotify(first)) return undefined;
  const [audience] = await readAudiences(sql, [{ chatId: first.chatId, userId: first.userId }]);
  if (audience === undefined) return undefined;
  return messageOf({ chatId: due.chatId, audience, alerts: [first, ...others] }, nowMs);
}
