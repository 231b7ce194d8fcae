import { isReadvertised } from "#core/alert/alert.ts";
import { ALERT_KINDS, type AlertKind } from "#core/alert/alert-kinds.ts";
import type { Rule } from "#core/rules/rule-kinds.ts";
import { decideNotice, type NoticeDecision } from "./notices/decide-notice.ts";
import type { OpenAlert } from "./rows/outbox.ts";

/** What to do with the next alert of a recipient. */
export type Decision =
  | { readonly act: "send" }
  /** Send it together with all held alerts, as one message. */
  | { readonly act: "summarise" }
  | Exclude<NoticeDecision, { act: "send" }>
  | { readonly act: "drop"; readonly because: string; readonly kinds: readonly AlertKind[] }
  /** Drop it and all other alerts without an active search. */
  | { readonly act: "drop-no-search" }
  | { readonly act: "drop-one"; readonly because: string }
  | { readonly act: "leave-out"; readonly leftOutBy: ReadonlyMap<string, Rule> };

/** Other rules decide whether a chat may get these. */
const APART: readonly AlertKind[] = ["question", "account-notice"];
const ALL_OTHERS = (Object.keys(ALERT_KINDS) as AlertKind[]).filter((kind) => !APART.includes(kind));

export interface AlertFacts {
  /**
   * At least one of the alert's searches exists, is not paused and names the chat. Searches in quiet hours count as active.
   */
  readonly hasActiveSearch: boolean;
  /** The rule of each search, if the rules of all leave the listing out now. */
  readonly leftOutBy?: ReadonlyMap<string, Rule>;
  readonly nowMs: number;
}

export function decideAlert(
  alert: OpenAlert,
  { hasActiveSearch, leftOutBy = new Map(), nowMs }: AlertFacts,
): Decision {
  if (!mayNotify(alert)) {
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
  // The chat already got the same alert for another person.
  if (alert.isSentForOther) return { act: "merge" };
  const notice = decideNotice(alert, nowMs);
  if (notice.act !== "send") return notice;
  if (alert.isHidden) return { act: "drop-one", because: "the listing is hidden" };
  if (leftOutBy.size > 0) return { act: "leave-out", leftOutBy };
  return { act: ALERT_KINDS[alert.kind].isHoldable && alert.heldMs !== null ? "summarise" : "send" };
}

/** The chat has agreed, or the alert is the question whether it does, or a farewell. A chat that lacks rights is tried again. */
export function mayNotify({
  kind,
  chatState,
  chatReason,
  consentAnswer,
}: Pick<OpenAlert, "kind" | "chatState" | "chatReason" | "consentAnswer">): boolean {
  if (ALERT_KINDS[kind].isFarewell) return true;
  switch (kind) {
    case "question":
      return chatState === "waiting" && consentAnswer === null;
    // Written only to the account's own private chat, which may be in no list of chats.
    case "account-notice":
      return chatState === null || chatState === "connected" || chatState === "waiting";
    default:
      return chatState === "connected" || (chatState === "unreachable" && chatReason === "no-rights");
  }
}

/** A shortlist chat gets kept homes and their changes, of which a new code is one. */
function isNotShortlisted({ kind, payload, receives, isShortlisted, isAskedFor }: OpenAlert): boolean {
  if (receives === "everything" || kind === "kept" || isAskedFor) return false;
  if (kind === "watch-started" || (kind === "new" && !isReadvertised({ kind, payload }))) return true;
  return ALERT_KINDS[kind].isAboutListing && !isShortlisted;
}
