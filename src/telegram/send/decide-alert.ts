import type { AlertListing } from "#core/alert/alert.ts";
import { ALERT_KINDS, type AlertKind } from "#core/alert/alert-kinds.ts";
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

const ALL_BUT_QUESTIONS = (Object.keys(ALERT_KINDS) as AlertKind[]).filter((kind) => kind !== "question");

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
  if (ALERT_KINDS[alert.kind].needsActiveSearch && !hasVoice && !alert.isAskedFor)
    return { act: "drop-voiceless" };
  if (alert.kind === "forwarding-question" && alert.chatId.startsWith("-")) {
    return { act: "drop-one", because: "a code is for its owner alone" };
  }
  if (alert.isDuplicate) return { act: "merge" };
  if (alert.isHidden) return { act: "drop-one", because: "the listing is hidden" };
  if (hasSignLeftOut(alert, signsLeftOut)) {
    return { act: "drop-one", because: "the person wants no adverts with this sign" };
  }
  return { act: ALERT_KINDS[alert.kind].isHoldable && alert.isHeld ? "summarise" : "send" };
}

/** What somebody kept is told of all the same. */
function hasSignLeftOut(
  { kind, payload, mark, isAskedFor }: OpenAlert,
  signsLeftOut: readonly string[],
): boolean {
  if (signsLeftOut.length === 0 || !ALERT_KINDS[kind].isAboutListing || mark === "kept" || isAskedFor)
    return false;
  // Our own watcher wrote the facts.
  const { listing } = payload as { readonly listing?: AlertListing };
  return listing?.signs?.some((sign) => signsLeftOut.includes(sign.kind)) ?? false;
}
