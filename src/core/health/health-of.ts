/** Derives the one state of a search that pages, chats and mails show. */
import { type ChatReason, type ChatState, type LostChatReason, lostChatReasonOf } from "../alert/chat.ts";

/** The answer of `watch.state_of_search`. */
export interface HealthFacts {
  readonly is_paused: boolean;
  readonly problem: "not-a-search" | "no-source" | null;
  /** The chats that the search names. */
  readonly chats: {
    readonly named: number;
    readonly connected: number;
    /** Asked, and not answered yet. */
    readonly waiting: number;
    /** Once connected or asked, and now unreachable or unwilling. */
    readonly lost: number;
    /** Null unless the search names a single chat that is known. */
    readonly only_chat: { readonly state: ChatState; readonly reason: ChatReason | null } | null;
  };
  /** When the first connected chat is unmuted; "infinity" if all are muted without an end; null if one is not muted. */
  readonly muted_until: string | null;
  /** The operator has paused all sending. */
  readonly is_held: boolean;
  readonly baseline_at: string | null;
  readonly last_ok_at: string | null;
  /** The last successful check of a feed that has gone unchecked for too long, though its source does not fail. */
  readonly late_since: string | null;
  /** The last time in which homes may have been missed, for a week. Answers stored by an earlier version do not have it. */
  readonly last_gap?: ToldGap | null;
  readonly failing_since: string | null;
  readonly failure_reason: string | null;
  readonly spent_until: string | null;
  /** The first check waits for requests until this time. */
  readonly waits_until: string | null;
  readonly is_served_by_mail: boolean;
}

const REASONS = [
  "refused-credentials",
  "rate-limited",
  "not-found",
  "refused-request",
  "server-trouble",
  "unreachable",
  "not-understood",
] as const;

export type FailureReason = (typeof REASONS)[number] | "unknown";

export type Health =
  | {
      readonly state: "paused" | "notASearch" | "noSource" | "noChat" | "waitingForYes" | "held" | "watching";
    }
  /** `onlyLoss`: why the only chat was lost; null if there are several. */
  | { readonly state: "chatsLost"; readonly onlyLoss: LostChatReason | null }
  /** `until`: null if the mute has no end. */
  | { readonly state: "muted"; readonly until: Date | null }
  | { readonly state: "spent"; readonly until: Date; readonly isServedByMail: boolean }
  | { readonly state: "failing"; readonly since: Date; readonly reason: FailureReason }
  | { readonly state: "late"; readonly since: Date }
  | { readonly state: "queued"; readonly until: Date }
  /** `isAgain`: it was checked before, and then paused or left without a reachable chat. */
  | { readonly state: "first"; readonly isAgain: boolean };

export interface ToldGap {
  readonly from: string;
  readonly until: string;
}

/** The last day's alerts by outcome (`watch.alert_counts`): found = sent + waiting + undelivered. */
export interface AlertCounts {
  readonly found: number;
  readonly sent: number;
  readonly waiting: number;
  readonly undelivered: number;
}

/** Order: the person's own doing, what they can fix, our failures. */
export function healthOf(facts: HealthFacts): Health {
  if (facts.is_paused) return { state: "paused" };
  if (facts.problem === "not-a-search") return { state: "notASearch" };
  if (facts.problem === "no-source") return { state: "noSource" };
  const unreachable = unreachableHealth(facts.chats);
  if (unreachable) return unreachable;
  if (facts.muted_until !== null) {
    return { state: "muted", until: facts.muted_until === "infinity" ? null : new Date(facts.muted_until) };
  }
  if (facts.is_held) return { state: "held" };
  if (facts.spent_until !== null) {
    return { state: "spent", until: new Date(facts.spent_until), isServedByMail: facts.is_served_by_mail };
  }
  if (facts.failing_since !== null) {
    return { state: "failing", since: new Date(facts.failing_since), reason: reasonOf(facts.failure_reason) };
  }
  // Answers stored by an earlier version do not have it.
  if (facts.late_since) return { state: "late", since: new Date(facts.late_since) };
  if (facts.baseline_at === null && facts.waits_until) {
    return { state: "queued", until: new Date(facts.waits_until) };
  }
  if (facts.baseline_at === null) return { state: "first", isAgain: facts.last_ok_at !== null };
  return { state: "watching" };
}

/** Why no chat can be notified; undefined if one can. */
export function unreachableHealth({
  connected,
  waiting,
  lost,
  only_chat,
}: HealthFacts["chats"]): Health | undefined {
  if (connected > 0) return undefined;
  if (lost > 0) return { state: "chatsLost", onlyLoss: only_chat && lostChatReasonOf(only_chat) };
  return { state: waiting > 0 ? "waitingForYes" : "noChat" };
}

/** Only reasons that have a text are shown. */
function reasonOf(reported: string | null): FailureReason {
  return REASONS.find((reason) => reason === reported) ?? "unknown";
}
