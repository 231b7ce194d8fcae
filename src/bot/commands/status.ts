import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { type ChatPerson, peopleConnectedTo } from "#store/chats/chat-people.ts";
import { silenceOf } from "#store/chats/conversations.ts";
import { type WatchState, watchStateOf } from "#store/feeds/watch-state.ts";
import { describeSearch } from "#text/describe-search.ts";
import { timeLabel } from "#text/labels.ts";
import { dayLabel, intervalKindOf, intervalWords } from "#text/watch-interval.ts";
import { type Conversation, replyWithSite } from "../conversation.ts";

const LONGEST_SEARCH = 300;

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
  const lines = [`<b>${escapeHtml(email)}</b>`];
  if (state === undefined) return [...lines, t("status_no_filter")].join("\n");
  const search = searchInWords(state.filterUrl, conversation.language);
  if (search !== undefined) lines.push(escapeHtml(search));
  lines.push(...howItFares(conversation, state), t("status_found", { count: state.foundLastDay }));
  if (state.alertsWaiting > 0) lines.push(t("status_waiting", { count: state.alertsWaiting }));
  return lines.join("\n");
}

function searchInWords(filterUrl: string, language: Language): string | undefined {
  const parsed = parseSearchUrl(filterUrl);
  if (!parsed.ok) return undefined;
  const letters = [...describeSearch(parsed.search, language).text];
  return letters.length > LONGEST_SEARCH ? `${letters.slice(0, LONGEST_SEARCH).join("")}…` : letters.join("");
}

function howItFares({ parts, t, language }: Conversation, state: WatchState): string[] {
  if (state.isPaused) return [`⏸ ${t("status_paused")}`];
  if (state.problem === "not-a-search") return [`⚠️ ${t("status_not_a_search")}`];
  if (state.problem === "no-source") return [`⚠️ ${t("status_no_source")}`];
  const checked = state.lastOkAt && timeLabel(state.lastOkAt, new Date(parts.now()), language);
  const lastCheck = checked === undefined ? [] : [t("status_last_check", { checked })];
  const spent = spentLines(t, language, state.interval);
  if (spent.length > 0) return [...spent, ...lastCheck];
  if (state.failingSince !== undefined) return [`⚠️ ${t("status_failing")}`, ...lastCheck];
  if (!state.hasBegun || checked === undefined) return [`🏮 ${t("status_first_check")}`];
  return [`🏮 ${howOften(t, language, state.interval)}`, ...lastCheck];
}

function spentLines(
  t: Conversation["t"],
  language: Language,
  { spentUntil, isServedByMail }: WatchState["interval"],
): string[] {
  if (spentUntil === null) return [];
  const spent = `⚠️ ${t("status_spent", { date: dayLabel(spentUntil, language) })}`;
  return [spent, ...(isServedByMail ? [t("status_spent_mail")] : [])];
}

function howOften(t: Conversation["t"], language: Language, interval: WatchState["interval"]): string {
  if (intervalKindOf(interval) === "promised") return t("status_watching");
  return t("status_watching_at", { every: intervalWords(interval, language) });
}

async function silenceLine({ parts, chat, t }: Conversation): Promise<string | undefined> {
  const silence = await silenceOf(parts.sql, chat.id, parts.now());
  if (silence.is === "for-a-while") return `🔕 ${t("chat_is_muted", { time: timeOfDay(silence.until) })}`;
  return silence.is === "none" ? undefined : `🔕 ${t("chat_is_paused")}`;
}

const madridTime = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Madrid",
  hour: "2-digit",
  minute: "2-digit",
});

/** "18:40" on the clocks of Madrid, which is where the homes are; all five languages write it so. */
export function timeOfDay(moment: Date): string {
  return madridTime.format(moment);
}
