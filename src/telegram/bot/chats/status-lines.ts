import { escapeHtml } from "#core/escape-html.ts";
import { type Health, healthOf } from "#core/health/health-of.ts";
import { countsLine, gapWords, healthWords } from "#text/health-words.ts";
import { timeWithin } from "#text/labels.ts";
import { wordsOf } from "#text/translator.ts";
import { intervalLabel } from "#text/watch-interval.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { WatchState } from "../rows/watch-state.ts";

/** The status of a search in a few lines. The first line alone is a summary. */
export function statusLines({ parts, t, language }: Conversation, state: WatchState): string[] {
  const common = wordsOf("common", language);
  const now = new Date(parts.now());
  const health = healthOf({ ...state.facts, is_paused: state.isPaused });
  const { title, text } = healthWords(health, { ...wordsOf("health", language), now });
  const gap = state.facts.last_gap;
  const checked = state.lastOkAt && timeWithin(state.lastOkAt, now, common);
  return [
    `${iconOf(health)} ${escapeHtml(title)}`,
    escapeHtml(text ?? intervalLabel(state.interval, common)),
    ...(checked === undefined ? [] : [t("status_last_check", { checked })]),
    ...(gap ? [escapeHtml(gapWords(gap, wordsOf("health", language)))] : []),
  ];
}

/** The counts of its alerts, worded as on the website. */
export function alertCounts({ language }: Conversation, { alerts }: WatchState): string {
  return countsLine(alerts, wordsOf("health", language));
}

function iconOf({ state }: Health): string {
  if (state === "watching" || state === "first") return "🏮";
  if (state === "muted") return "🔕";
  return state === "paused" || state === "held" ? "⏸" : "⚠️";
}
