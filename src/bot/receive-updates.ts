import type { Api } from "grammy";
import type { Sql } from "postgres";
import { forgetOldUpdates, keepUpdates } from "#store/inbox.ts";
import type { Bell } from "./bell.ts";

/** The kinds of updates the bot listens to; edits are not among them. */
export const HEARD_UPDATES = ["message", "channel_post", "callback_query", "my_chat_member"] as const;

const POLL_SECONDS = 30;
const FORGET_EVERY_MS = 60 * 60 * 1000;
/** Another machine may have taken the webhook's request. */
const LOOK_EVERY_MS = 1_000;

export interface Receiving {
  readonly api: Api;
  readonly sql: Sql;
  readonly drain: () => Promise<void>;
  readonly now: () => number;
  /** Telegram has answered. */
  readonly onHeard: () => void;
  readonly signal: AbortSignal;
}

/**
 * Long polling. Updates are in the inbox before the next request confirms them, so none is lost; Telegram may tell one
 * again, and the inbox knows it. After a quiet request no offset is sent: ids begin anew after a week of silence.
 */
export async function pollUpdates(receiving: Receiving): Promise<void> {
  const { api, sql, drain, signal } = receiving;
  const forget = createForgetting(receiving);
  let offset: number | undefined;
  await drain();
  while (!signal.aborted) {
    const updates = await api.getUpdates(
      { timeout: POLL_SECONDS, allowed_updates: HEARD_UPDATES, ...(offset === undefined ? {} : { offset }) },
      signal as Parameters<Api["getUpdates"]>[1],
    );
    receiving.onHeard();
    const ids = updates.map(({ update_id }) => update_id);
    await keepUpdates(
      sql,
      updates.map((update) => ({ updateId: update.update_id, content: JSON.stringify(update) })),
    );
    offset = ids.length === 0 ? undefined : Math.max(...ids) + 1;
    await drain();
    await forget();
  }
}

/** The webhook fills the inbox; here it is emptied. */
export async function awaitUpdates(receiving: Receiving & { readonly bell: Bell }): Promise<void> {
  const { drain, signal, bell } = receiving;
  receiving.onHeard();
  const forget = createForgetting(receiving);
  while (!signal.aborted) {
    await drain();
    await forget();
    await bell.wait(LOOK_EVERY_MS);
  }
}

function createForgetting({ sql, now }: Receiving): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    if (now() < nextAt) return;
    nextAt = now() + FORGET_EVERY_MS;
    await forgetOldUpdates(sql);
  };
}
