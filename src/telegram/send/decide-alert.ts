import { ALERT_KINDS, type AlertKind, type AlertListing, HOLDABLE_KINDS } from "#core/alert/alert.ts";
import type { OpenAlert } from "#store/outbox/outbox.ts";

/** What is to become of the alert that is next in line. */
export type Decision =
  | { readonly act: "send" }
  /** It and all that waited with it, as one message. */
  | { readonly act: "summarise" }
  | { readonly act: "merge" }
  | { readonly act: "drop"; readonly because: string; readonly kinds: readonly AlertKind[] }
  /** It and all for which no search speaks. */
  | { readonly act: "drop-voiceless" }
  | { readonly act: "drop-one"; readonly because: string };

export const KINDS_OF_A_WATCH: readonly AlertKind[] = [...HOLDABLE_KINDS, "watch-started"];
const ALL_BUT_QUESTIONS = ALERT_KINDS.filter((kind) => kind !== "question");

/** `hasVoice`: one of its searches is there, is not paused and names the chat. Those that must wait are not asked about. */
export function decideAlert(
  alert: OpenAlert,
  hasVoice: boolean,
  signsLeftOut: readonly string[] = [],
): Decision {
  if (!alert.mayBeTold) {
    const kinds = alert.kind === "question" ? [alert.kind] : ALL_BUT_QUESTIONS;
    return { act: "drop", because: "the chat has not agreed to it", kinds };
  }
  if (KINDS_OF_A_WATCH.includes(alert.kind) && !hasVoice && !alert.isAskedFor)
    return { act: "drop-voiceless" };
  if (alert.kind === "forwarding-question" && alert.chatId.startsWith("-")) {
    return { act: "drop-one", because: "a code is for its owner alone" };
  }
  if (alert.isDuplicate) return { act: "merge" };
  if (alert.isHidden) return { act: "drop-one", because: "the listing is hidden" };
  if (hasSignLeftOut(alert, signsLeftOut)) {
    return { act: "drop-one", because: "the person wants no adverts with this sign" };
  }
  return { act: HOLDABLE_KINDS.includes(alert.kind) && alert.isHeld ? "summarise" : "send" };
}

/** What somebody kept is told of all the same. */
function hasSignLeftOut(
  { kind, payload, mark, isAskedFor }: OpenAlert,
  signsLeftOut: readonly string[],
): boolean {
  if (signsLeftOut.length === 0 || !HOLDABLE_KINDS.includes(kind) || mark === "kept" || isAskedFor)
    return false;
  // The facts were written by our own watcher; an alert of before has no signs.
  const { listing } = payload as { readonly listing?: AlertListing };
  return listing?.signs?.some((sign) => signsLeftOut.includes(sign.kind)) ?? false;
}
