import { ALERT_KINDS, type AlertKind } from "#core/alert/alert-kinds.ts";
import type { Rule } from "#core/rules/rule-kinds.ts";
import type { OpenAlert } from "./rows/outbox.ts";

/** What to do with the next alert of a recipient. */
export type Decision =
  | { readonly act: "send" }
  /** Send it together with all held alerts, as one message. */
  | { readonly act: "summarise" }
  | { readonly act: "merge" }
  | { readonly act: "drop"; readonly because: string; readonly kinds: readonly AlertKind[] }
  /** Drop it and all other alerts without an active search. */
  | { readonly act: "drop-no-search" }
  | { readonly act: "drop-one"; readonly because: string }
  | { readonly act: "leave-out"; readonly leftOutBy: ReadonlyMap<string, Rule> };

/** Other rules decide whether a chat may get these. */
const APART: readonly AlertKind[] = ["question", "account-notice"];
const ALL_OTHERS = (Object.keys(ALERT_KINDS) as AlertKind[]).filter((kind) => !APART.includes(kind));

/**
 * `hasActiveSearch`: at least one of the alert's searches exists, is not paused and names the chat. Searches in quiet hours
 * count as active. `leftOutBy`: the rule of each of them, if the rules of all leave the listing out now.
 */
export function decideAlert(
  alert: OpenAlert,
  hasActiveSearch: boolean,
  leftOutBy: ReadonlyMap<string, Rule> = new Map(),
): Decision {
  if (!alert.mayNotify) {
    const kinds = APART.includes(alert.kind) ? [alert.kind] : ALL_OTHERS;
    return { act: "drop", because: "the chat has not agreed to it", kinds };
  }
  if (ALERT_KINDS[alert.kind].needsActiveSearch && !hasActiveSearch && !alert.isAskedFor)
    return { act: "drop-no-search" };
  if (alert.kind === "forwarding-question" && alert.chatId.startsWith("-")) {
    return { act: "drop-one", because: "a code is for its owner alone" };
  }
  if (isNotShortlisted(alert)) {
    return { act: "drop-one", because: "the chat receives only kept homes" };
  }
  if (alert.isDuplicate) return { act: "merge" };
  if (alert.isHidden) return { act: "drop-one", because: "the listing is hidden" };
  if (leftOutBy.size > 0) return { act: "leave-out", leftOutBy };
  return { act: ALERT_KINDS[alert.kind].isHoldable && alert.isHeld ? "summarise" : "send" };
}

/** A shortlist chat gets kept homes and their changes. A new advert of such a home is not a change. */
function isNotShortlisted({ kind, receives, isShortlisted, isAskedFor }: OpenAlert): boolean {
  if (receives === "everything" || kind === "kept" || isAskedFor) return false;
  if (kind === "new" || kind === "watch-started") return true;
  return ALERT_KINDS[kind].isAboutListing && !isShortlisted;
}
