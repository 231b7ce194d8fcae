/** The kinds of alerts and what is decided by kind. `watch.alert_kinds` has the columns that SQL needs; a test compares them. */

/** What a notice is about. Its waiting time and repetition are decided by subject (`telegram/send/notices/decide-notice.ts`). */
export type NoticeSubject = "source" | "checks" | "gap" | "chats" | "offer";
/** A problem has begun or is over, or something has happened once. */
export type NoticeSign = "problem" | "over" | "event";

export interface NoticeState {
  readonly subject: NoticeSubject;
  readonly sign: NoticeSign;
}

interface KindRules {
  readonly isAboutListing: boolean;
  /** It shows a home that is on offer. */
  readonly isOffer: boolean;
  /** It waits until quiet hours and mutes end. Replies to something the person just did are never held. */
  readonly isHoldable: boolean;
  /** It is sent only while one of its searches is active and names the chat. */
  readonly needsActiveSearch: boolean;
  /** It is a reply to the first message about its listing; so is a known home under a new code. */
  readonly isReply: boolean;
  /** The moment each source saw its cause is recorded. */
  readonly isSighted: boolean;
  /** It asks for an answer, so the operator cannot drain it. */
  readonly isQuestion: boolean;
  /** It tells a chat that an account has left it. It belongs to no account, and nothing is asked before it is sent. */
  readonly isFarewell: boolean;
  /** It comes unasked and is about no home, so the policy for notices decides when it is sent. */
  readonly notice: NoticeState | null;
  readonly buttons:
    | "listing"
    | "open"
    | "settings"
    | "forwarding"
    | "consent"
    | "identity"
    | "account"
    | "summary"
    | "none";
}

const NOTICE = {
  isAboutListing: false,
  isOffer: false,
  isHoldable: false,
  needsActiveSearch: false,
  isReply: false,
  isSighted: false,
  isQuestion: false,
  isFarewell: false,
  notice: null,
  buttons: "none",
} as const satisfies KindRules;

const ABOUT_SEARCHES = { ...NOTICE, isHoldable: true, needsActiveSearch: true } as const;

const OFFER = {
  ...NOTICE,
  isAboutListing: true,
  isOffer: true,
  isHoldable: true,
  needsActiveSearch: true,
  buttons: "listing",
} as const satisfies KindRules;

export const ALERT_KINDS = {
  /** A listing that the chat was not notified of before; perhaps a known home under a new code. */
  new: { ...OFFER, isSighted: true },
  "price-drop": { ...OFFER, isReply: true, isSighted: true },
  /** Gone for a while and on offer again. */
  back: { ...OFFER, isReply: true },
  /** A kept listing has left the portal. */
  gone: { ...OFFER, isOffer: false, isReply: true, buttons: "open" },
  /** Somebody kept it: for chats that receive only kept homes. */
  kept: { ...OFFER, needsActiveSearch: false, isReply: true },
  /** The first check of a search is done. */
  "watch-started": { ...NOTICE, needsActiveSearch: true, buttons: "settings" },
  /** The source cannot be reached, and can be again. */
  "source-down": { ...ABOUT_SEARCHES, notice: { subject: "source", sign: "problem" } },
  "source-up": { ...ABOUT_SEARCHES, notice: { subject: "source", sign: "over" } },
  /** Homes may have been missed in a time that was not covered. */
  gap: { ...ABOUT_SEARCHES, notice: { subject: "gap", sign: "event" } },
  /** May this person's alerts be sent to this chat? */
  question: { ...NOTICE, isQuestion: true, buttons: "consent" },
  /** This person's alerts are sent to this chat from now on; is that right? */
  connected: { ...NOTICE, buttons: "identity" },
  test: NOTICE,
  /** The search finds so much that a summary every two hours may be better. */
  "summary-offer": { ...ABOUT_SEARCHES, notice: { subject: "offer", sign: "event" }, buttons: "summary" },
  /** A mail provider asks whether the person's mail may be forwarded to their address here. */
  "forwarding-question": { ...NOTICE, isQuestion: true, buttons: "forwarding" },
  /** A notice that an account with an address gets by mail, in the private chat of the account's Telegram user. */
  "account-notice": { ...NOTICE, buttons: "account" },
  /** The account whose alerts the chat received was deleted. */
  "account-deleted": { ...NOTICE, isFarewell: true },
  "telegram-disconnected": { ...NOTICE, isFarewell: true },
  /** The account ended its chats, because its address was proved for the first time. */
  "access-ended": { ...NOTICE, isFarewell: true, buttons: "settings" },
} as const satisfies Record<string, KindRules>;

export type AlertKind = keyof typeof ALERT_KINDS;

export type ListingAlertKind = {
  [Kind in AlertKind]: (typeof ALERT_KINDS)[Kind]["isAboutListing"] extends true ? Kind : never;
}[AlertKind];

type Flag = { [Name in keyof KindRules]-?: KindRules[Name] extends boolean ? Name : never }[keyof KindRules];

export function kindsThat(flag: Flag): readonly AlertKind[] {
  return (Object.keys(ALERT_KINDS) as AlertKind[]).filter((kind) => ALERT_KINDS[kind][flag]);
}

/** Account notices are among them: some are decided by the policy, according to their payload. */
export const NOTICE_KINDS: readonly AlertKind[] = [
  ...(Object.keys(ALERT_KINDS) as AlertKind[]).filter((kind) => ALERT_KINDS[kind].notice !== null),
  "account-notice",
];
