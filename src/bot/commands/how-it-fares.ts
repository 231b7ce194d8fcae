import type { Language } from "#core/languages.ts";
import type { WatchState } from "#store/feeds/watch-state.ts";
import { timeWithin } from "#text/labels.ts";
import { formatMoment } from "#text/moments.ts";
import { dayLabel, intervalKindOf, intervalWords } from "#text/watch-interval.ts";
import type { Conversation } from "../conversation.ts";

/** A search's state in a few lines; the first says it alone. */
export function howItFares({ parts, t, language }: Conversation, state: WatchState): string[] {
  if (state.isPaused) return [`⏸ ${t("status_paused")}`];
  if (state.problem === "not-a-search") return [`⚠️ ${t("status_not_a_search")}`];
  if (state.problem === "no-source") return [`⚠️ ${t("status_no_source")}`];
  const checked = state.lastOkAt && timeWithin(state.lastOkAt, new Date(parts.now()), language);
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

/** "18:40" on the clocks of Madrid, which is where the homes are. */
export function timeOfDay(moment: Date, language: Language): string {
  return formatMoment(moment, language, { timeZone: "Europe/Madrid", hour: "2-digit", minute: "2-digit" });
}
