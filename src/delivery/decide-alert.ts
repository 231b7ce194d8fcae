import { ALERT_KINDS, type AlertKind, LISTING_ALERT_KINDS } from "#core/alert/alert.ts";
import type { OpenAlert } from "#store/outbox/outbox.ts";
import { quietEndMs } from "./quiet-hours.ts";

/** What is to become of the alert that is next in line. */
export type Decision =
  | { readonly act: "send" }
  /** It and all that waited with it, as one message. */
  | { readonly act: "summarise" }
  | { readonly act: "hold"; readonly untilMs: number }
  | { readonly act: "merge" }
  | { readonly act: "drop"; readonly because: string; readonly kinds: readonly AlertKind[] }
  | { readonly act: "drop-one"; readonly because: string };

/** News nobody asked for this minute; what answers something a person did does not wait for the morning. */
export const HOLDABLE_KINDS: readonly AlertKind[] = [...LISTING_ALERT_KINDS, "source-down", "source-up"];
const KINDS_OF_A_WATCH: readonly AlertKind[] = [...HOLDABLE_KINDS, "watch-started"];
const ALL_BUT_QUESTIONS = ALERT_KINDS.filter((kind) => kind !== "question");

export function decideAlert(alert: OpenAlert, nowMs: number): Decision {
  if (!alert.mayBeTold) {
    const kinds = alert.kind === "question" ? [alert.kind] : ALL_BUT_QUESTIONS;
    return { act: "drop", because: "the chat has not agreed to it", kinds };
  }
  if (KINDS_OF_A_WATCH.includes(alert.kind) && alert.isFilterPaused !== false) {
    return { act: "drop", because: "the filter is paused", kinds: KINDS_OF_A_WATCH };
  }
  if (alert.kind === "forwarding-question" && alert.chatId.startsWith("-")) {
    return { act: "drop-one", because: "a code is for its owner alone" };
  }
  if (alert.isDuplicate) return { act: "merge" };
  if (alert.isHidden) return { act: "drop-one", because: "the listing is hidden" };
  if (!HOLDABLE_KINDS.includes(alert.kind)) return { act: "send" };
  const untilMs = silenceEndMs(alert, nowMs);
  if (untilMs !== undefined) return { act: "hold", untilMs };
  return { act: alert.isHeld ? "summarise" : "send" };
}

function silenceEndMs(alert: OpenAlert, nowMs: number): number | undefined {
  const { mutedUntilMs, quietFrom, quietUntil } = alert;
  const quietMs =
    quietFrom === null || quietUntil === null
      ? undefined
      : quietEndMs(nowMs, { from: quietFrom, until: quietUntil });
  const mutedMs = mutedUntilMs !== null && mutedUntilMs > nowMs ? mutedUntilMs : undefined;
  return quietMs === undefined ? mutedMs : Math.max(quietMs, mutedMs ?? 0);
}
