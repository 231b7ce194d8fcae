import { timeLabel } from "#core/labels.ts";
import { type ChatPerson, peopleConnectedTo } from "#store/chat-people.ts";
import { silenceOf } from "#store/conversations.ts";
import { type WatchState, watchStateOf } from "#store/watch-state.ts";
import { type Conversation, replyWithSite } from "../conversation.ts";
import { escapeHtml } from "../texts.ts";
import { timeOfDay } from "../time-of-day.ts";

/** /status: how the watch of everyone connected here fares. */
export async function status(conversation: Conversation): Promise<void> {
  const { parts, chat, t } = conversation;
  const people = await peopleConnectedTo(parts.sql, chat.id);
  if (people.length === 0) return replyWithSite(conversation, [t("nobody_connected"), t("next_step_status")]);
  const blocks: string[] = [];
  for (const person of people) {
    blocks.push(blockOf(conversation, person, await watchStateOf(parts.sql, person.userId)));
  }
  const silence = await silenceLine(conversation);
  await conversation.reply([...blocks, ...(silence === undefined ? [] : [silence])].join("\n\n"));
}

function blockOf(conversation: Conversation, { email }: ChatPerson, state: WatchState | undefined): string {
  const { t } = conversation;
  const lines = [`<b>${escapeHtml(email)}</b>`, howItFares(conversation, state)];
  if (state !== undefined) {
    lines.push(t("status_found", { count: state.foundLastDay }));
    if (state.alertsWaiting > 0) lines.push(t("status_waiting", { count: state.alertsWaiting }));
  }
  return lines.join("\n");
}

function howItFares({ parts, t, language }: Conversation, state: WatchState | undefined): string {
  if (state === undefined) return t("status_no_filter");
  if (state.isPaused) return `⏸ ${t("status_paused")}`;
  if (state.problem === "not-a-search") return `⚠️ ${t("status_not_a_search")}`;
  if (state.problem === "no-source") return `⚠️ ${t("status_no_source")}`;
  const checked = state.lastOkAt && timeLabel(state.lastOkAt, new Date(parts.now()), language);
  if (state.failingSince !== undefined) {
    return `⚠️ ${t("status_failing")}${checked === undefined ? "" : ` ${t("status_last_check", { checked })}`}`;
  }
  if (!state.hasBegun || checked === undefined) return `🏮 ${t("status_first_check")}`;
  const every = Math.max(1, Math.round((state.intervalSeconds ?? 600) / 60));
  return `🏮 ${t("status_watching", { minutes: every })} ${t("status_last_check", { checked })}`;
}

async function silenceLine({ parts, chat, t }: Conversation): Promise<string | undefined> {
  const silence = await silenceOf(parts.sql, chat.id);
  if (silence.is === "for-a-while") return `🔕 ${t("chat_is_muted", { time: timeOfDay(silence.until) })}`;
  return silence.is === "none" ? undefined : `🔕 ${t("chat_is_paused")}`;
}
