/**
 * The one policy for notices: messages that are neither alerts about homes nor answers to something the person did. The words are
 * Alertmanager's (https://prometheus.io/docs/alerting/latest/configuration): a notice waits (`group_wait`), takes later ones of its
 * subject with it (grouping), is not repeated for a while (`repeat_interval`), and a problem counts as over only after a steady time
 * (`keep_firing_for`, hysteresis). A problem that comes and goes is one notice that says so. To add a notice, give its kind a
 * subject in `alert-kinds.ts`.
 */
import {
  ALERT_KINDS,
  type AlertKind,
  type NoticeSign,
  type NoticeState,
  type NoticeSubject,
} from "#core/alert/alert-kinds.ts";
import type { NoticeFacts, OtherNotice } from "../rows/notices.ts";
import type { OpenAlert } from "../rows/outbox.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface NoticePolicy {
  /** `group_wait`: how long the first notice waits for others of its subject. */
  readonly waitMs: number;
  /** `repeat_interval`: how long the same is not said again. */
  readonly repeatMs: number;
  /** `keep_firing_for`: how long a problem must be over before that is said. */
  readonly steadyMs: number;
  /** While that subject is reported as a problem, this one goes without saying. */
  readonly inhibitedBy?: NoticeSubject;
}

const POLICIES: Readonly<Record<NoticeSubject, NoticePolicy>> = {
  // Three failed rounds came before. The feeds of one source fail within seconds of one another.
  source: { waitMs: 10_000, repeatMs: DAY_MS, steadyMs: 30 * MINUTE_MS },
  checks: { waitMs: 5 * MINUTE_MS, repeatMs: DAY_MS, steadyMs: 30 * MINUTE_MS, inhibitedBy: "source" },
  gap: { waitMs: 10 * MINUTE_MS, repeatMs: 6 * HOUR_MS, steadyMs: 0 },
  chats: { waitMs: MINUTE_MS, repeatMs: DAY_MS, steadyMs: 0 },
  offer: { waitMs: 0, repeatMs: 0, steadyMs: 0 },
};

/** A problem that begins again this soon, or so often while it is reported, comes and goes. */
const FLAPPING_WITHIN_MS = 6 * HOUR_MS;
const FLAPS = 3;
/** A problem that came and went is over after this time. */
const FLAPPING_STEADY_MS = HOUR_MS;
/** Per person, over all chats. */
const AT_MOST_A_DAY = 3;

export type NoticeDecision =
  | { readonly act: "send" }
  /** The chat knows it, or it is over before it was told. */
  | { readonly act: "merge" }
  | { readonly act: "wait"; readonly untilMs: number }
  /** Takes these along; their spans become one. */
  | { readonly act: "group"; readonly ids: readonly string[] }
  /** It is told that the problem comes and goes. */
  | { readonly act: "mark-flapping" };

type Notice = Pick<OpenAlert, "kind" | "eventKey" | "payload" | "position" | "createdMs" | "noticeFacts">;

/** Alerts that are no notices are sent. */
export function decideNotice(alert: Notice, nowMs: number): NoticeDecision {
  const sign = signOf(alert.kind, noticeIn(alert.payload));
  const facts = alert.noticeFacts;
  if (sign === null || facts === null) return { act: "send" };
  const isOfSameEvent = ({ kind, eventKey, isOwn, isSent }: OtherNotice) =>
    !isOwn && isSent && kind === alert.kind && eventKey === alert.eventKey;
  if (facts.others.some(isOfSameEvent)) return { act: "merge" };
  const of = (subject: NoticeSubject) =>
    facts.others.flatMap((other) => {
      const its = signOf(other.kind, other.notice);
      return other.isOwn && its?.subject === subject ? [{ ...other, sign: its.sign }] : [];
    });
  const policy = POLICIES[sign.subject];
  const inhibitor = policy.inhibitedBy === undefined ? [] : of(policy.inhibitedBy);
  if (inhibitor.find(({ isSent }) => isSent)?.sign === "problem") return { act: "merge" };
  const known = { alert, nowMs, policy, mine: of(sign.subject), facts };
  const decided = DECIDE[sign.sign](known);
  return decided.act === "send" ? withinTheDay(facts, nowMs) : decided;
}

interface Known {
  readonly alert: Notice;
  readonly nowMs: number;
  readonly policy: NoticePolicy;
  /** The person's other notices of the subject, the newest first. */
  readonly mine: readonly (OtherNotice & { readonly sign: NoticeSign })[];
  readonly facts: NoticeFacts;
}

const DECIDE: Readonly<Record<NoticeSign, (known: Known) => NoticeDecision>> = {
  problem: decideProblem,
  over: decideOver,
  event: decideEvent,
};

function decideProblem(known: Known): NoticeDecision {
  const { alert, nowMs, policy, mine } = known;
  const { position, createdMs, payload } = alert;
  const isOver = mine.some((other) => other.position > position && other.sign === "over");
  const told = mine.find(({ isSent, sign }) => isSent && sign !== "event");
  const reported = told?.sign === "problem" ? told : undefined;
  // A month whose requests are spent is news during an outage.
  const reason = fieldOf(payload, "reason");
  if (reason === "quota-spent") {
    const isKnown = isOver || reported?.reason === reason;
    return isKnown ? { act: "merge" } : waited(createdMs, policy.waitMs, nowMs);
  }
  const isReported = createdMs - (reported?.sentMs ?? Number.NEGATIVE_INFINITY) < policy.repeatMs;
  if (isReported && reported?.isFlapping) return { act: "merge" };
  const isFlapping = comesAndGoes(known, isOver ? undefined : told);
  if ((isReported || isOver) && !isFlapping) return { act: "merge" };
  if (isFlapping && fieldOf(payload, "isFlapping") !== true) return { act: "mark-flapping" };
  return waited(createdMs, policy.waitMs, nowMs);
}

function comesAndGoes({ mine, alert }: Known, told: Known["mine"][number] | undefined): boolean {
  const isJustOver = told?.sign === "over" && alert.createdMs - (told.sentMs ?? 0) < FLAPPING_WITHIN_MS;
  return isJustOver || beginnings(mine, alert) >= FLAPS;
}

/** How often the problem has begun lately, this time included. Several feeds that fail together are one beginning. */
function beginnings(mine: Known["mine"], { position, createdMs }: Notice): number {
  const signs = mine
    .filter(
      (other) =>
        other.position < position &&
        createdMs - other.createdMs < FLAPPING_WITHIN_MS &&
        other.sign !== "event",
    )
    .map(({ sign }) => sign)
    .toReversed();
  return [...signs, "problem"].filter((sign, at, all) => sign === "problem" && all[at - 1] !== "problem")
    .length;
}

function decideOver({ alert, nowMs, policy, mine, facts }: Known): NoticeDecision {
  const told = mine.find(({ isSent, sign }) => isSent && sign !== "event");
  if (told?.sign !== "problem" || facts.isOtherSourceDown) return { act: "merge" };
  if (mine.some((other) => other.position > alert.position && other.sign !== "event"))
    return { act: "merge" };
  return waited(alert.createdMs, told.isFlapping ? FLAPPING_STEADY_MS : policy.steadyMs, nowMs);
}

function decideEvent({ alert, nowMs, policy, mine }: Known): NoticeDecision {
  const lastMs = Math.max(0, ...mine.flatMap(({ sentMs }) => sentMs ?? []));
  const dueMs = Math.max(alert.createdMs + policy.waitMs, lastMs + policy.repeatMs);
  if (dueMs > nowMs) return { act: "wait", untilMs: dueMs };
  const later = mine.filter(({ position, state }) => position > alert.position && state === "pending");
  const isGrouped = policy.repeatMs > 0 && later.length > 0;
  return isGrouped ? { act: "group", ids: later.map(({ id }) => id) } : { act: "send" };
}

function waited(createdMs: number, waitMs: number, nowMs: number): NoticeDecision {
  return createdMs + waitMs > nowMs ? { act: "wait", untilMs: createdMs + waitMs } : { act: "send" };
}

/** The one beyond the day's number waits, and is judged anew then: what is over by that time is not told. */
function withinTheDay(facts: NoticeFacts, nowMs: number): NoticeDecision {
  const oldest = toldToday(facts, nowMs)[AT_MOST_A_DAY - 1];
  return oldest === undefined ? { act: "send" } : { act: "wait", untilMs: oldest + DAY_MS };
}

/** The newest first. */
function toldToday({ toldMs }: NoticeFacts, nowMs: number): readonly number[] {
  return toldMs.filter((ms) => ms > nowMs - DAY_MS).toSorted((one, other) => other - one);
}

/** The message says that the next notice will wait. */
export function isLastOfDay(
  { kind, payload, noticeFacts }: Pick<Notice, "kind" | "payload" | "noticeFacts">,
  nowMs: number,
): boolean {
  if (noticeFacts === null || signOf(kind, noticeIn(payload)) === null) return false;
  return toldToday(noticeFacts, nowMs).length === AT_MOST_A_DAY - 1;
}

function signOf(kind: AlertKind, notice: string | null): NoticeState | null {
  // Notices about the account's safety never wait.
  if (kind === "account-notice" && notice === "chats-lost") return { subject: "chats", sign: "event" };
  return ALERT_KINDS[kind].notice;
}

function noticeIn(payload: unknown): string | null {
  const notice = fieldOf(payload, "notice");
  return typeof notice === "string" ? notice : null;
}

function fieldOf(payload: unknown, name: string): unknown {
  return typeof payload === "object" && payload !== null
    ? (payload as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
