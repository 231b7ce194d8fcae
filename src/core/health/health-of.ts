/** The one thing to say of a search, the same wherever it is said. */

/** As the database tells it: `watch.state_of_search`. */
export interface HealthFacts {
  readonly is_paused: boolean;
  readonly problem: "not-a-search" | "no-source" | null;
  /** The chats the search names. */
  readonly chats: {
    readonly named: number;
    readonly connected: number;
    /** They were asked and have not answered. */
    readonly waiting: number;
    /** They were connected or asked, and cannot or do not want to be told. */
    readonly lost: number;
    /** How the only one was lost. */
    readonly only_loss: LostChatReason | null;
  };
  /** When the first of the connected chats is told again: a time, "infinity" where none is until it says so, null while one is. */
  readonly muted_until: string | null;
  /** The operator has paused everything. */
  readonly is_held: boolean;
  /** The address was proved after this was set up, and the account has not said yet that it was its own. */
  readonly is_setup_held: boolean;
  readonly baseline_at: string | null;
  readonly last_ok_at: string | null;
  readonly failing_since: string | null;
  readonly failure_reason: string | null;
  /** The month's requests are spent until then. */
  readonly spent_until: string | null;
  /** Its first check waits for requests until then. */
  readonly waits_until: string | null;
  readonly is_served_by_mail: boolean;
}

export type LostChatReason = "blocked" | "stopped" | "declined" | "unreachable";

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
      readonly state:
        | "setupHeld"
        | "paused"
        | "notASearch"
        | "noSource"
        | "noChat"
        | "waitingForYes"
        | "held"
        | "watching";
    }
  /** `onlyLoss`: how the only chat was lost; null where there are several. */
  | { readonly state: "nobodyHears"; readonly onlyLoss: LostChatReason | null }
  /** `until`: null where it has no end. */
  | { readonly state: "muted"; readonly until: Date | null }
  | { readonly state: "spent"; readonly until: Date; readonly isServedByMail: boolean }
  | { readonly state: "failing"; readonly since: Date; readonly reason: FailureReason }
  /** The first check waits for its turn. */
  | { readonly state: "queued"; readonly until: Date }
  /** `isAgain`: it was checked before, until it was paused or nobody could be told. */
  | { readonly state: "first"; readonly isAgain: boolean };

/** What became of the last day's alerts, as `watch.alert_counts` tells it: found = told + waiting + undelivered. */
export interface AlertCounts {
  readonly found: number;
  readonly told: number;
  readonly waiting: number;
  readonly undelivered: number;
}

/** A held setup comes first: nothing else matters until it is answered. Then what the person did, what they can mend, what is ours. */
export function healthOf(facts: HealthFacts): Health {
  if (facts.is_setup_held) return { state: "setupHeld" };
  if (facts.is_paused) return { state: "paused" };
  if (facts.problem === "not-a-search") return { state: "notASearch" };
  if (facts.problem === "no-source") return { state: "noSource" };
  const unheard = unreachableHealth(facts.chats);
  if (unheard) return unheard;
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
  if (facts.baseline_at === null && facts.waits_until) {
    return { state: "queued", until: new Date(facts.waits_until) };
  }
  if (facts.baseline_at === null) return { state: "first", isAgain: facts.last_ok_at !== null };
  return { state: "watching" };
}

/** Why nobody can be told of a search; undefined where somebody can. */
export function unreachableHealth({
  connected,
  waiting,
  lost,
  only_loss,
}: HealthFacts["chats"]): Health | undefined {
  if (connected > 0) return undefined;
  if (lost > 0) return { state: "nobodyHears", onlyLoss: only_loss };
  return { state: waiting > 0 ? "waitingForYes" : "noChat" };
}

/** A word without words of its own is no reason to show it. */
function reasonOf(told: string | null): FailureReason {
  return REASONS.find((reason) => reason === told) ?? "unknown";
}
