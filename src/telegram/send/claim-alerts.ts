import type { Sql } from "postgres";
import { kindsThat } from "#core/alert/alert-kinds.ts";
import { leaveOutAlert } from "../rows/left-outs.ts";
import { type Decision, decideAlert } from "./decide-alert.ts";
import { leftOutBy } from "./left-out-by.ts";
import { activeSearchesOf, quietSearchesOf, topicOfAlert } from "./quiet-searches.ts";
import {
  endAlerts,
  endAlertsOfRecipient,
  endAlertsWithoutSearch,
  holdAlerts,
  holdWithOthers,
  leaseAlerts,
} from "./rows/alert-states.ts";
import { type Audience, readAudiences } from "./rows/audiences.ts";
import { groupNotices, markFlapping, postponeNotice } from "./rows/notices.ts";
import { type NextAlert, type OpenAlert, readHeld, readNextAlerts } from "./rows/outbox.ts";
import type { QuietSearches, Recipient } from "./rows/recipients.ts";

/** One message to be sent: an alert, or several held alerts. */
export interface OutgoingMessage {
  readonly chatId: string;
  readonly alerts: readonly [OpenAlert, ...OpenAlert[]];
  /** The recipient's searches and settings. */
  readonly audience: Audience;
}

export interface Claim {
  readonly messages: readonly OutgoingMessage[];
  /** Recipients without open alerts. */
  readonly closed: readonly Recipient[];
  /** Chats without a message now, and when to claim again. */
  readonly waiting: readonly { readonly chatId: string; readonly nextMs: number }[];
}

/** A recipient, with the searches that are quiet now. */
interface ClaimedRecipient {
  readonly chatId: string;
  readonly userId: string;
  readonly audience: Audience;
  readonly quiet: QuietSearches & { readonly untilMs: number };
}

interface Decided {
  readonly recipient: ClaimedRecipient;
  readonly alert: OpenAlert;
  readonly decision: Decision;
}

interface Head extends NextAlert {
  readonly recipient: ClaimedRecipient;
}

export interface ClaimOptions {
  readonly sql: Sql;
  readonly nowMs: number;
  readonly leaseBy: string;
  readonly leaseMs: number;
}

const LEAST_WAIT_MS = 1_000;

/** Leases the next message of each chat, or says when to try again. */
export async function claimAlerts(
  chats: readonly (readonly Recipient[])[],
  options: ClaimOptions,
): Promise<Claim> {
  const { nowMs } = options;
  const heads = await readHeads(chats.flat(), options);
  const decided = heads.flatMap(({ recipient, alert }) =>
    alert === undefined ? [] : [{ recipient, alert, decision: decide(alert, recipient, nowMs) }],
  );
  const hasEnded = await settleWhatIsNotSent(decided, options);
  const ready = decided.filter(({ decision }) => isSending(decision));

  const messages: OutgoingMessage[] = [];
  const waiting: { chatId: string; nextMs: number }[] = [];
  for (const [first] of chats) {
    if (first === undefined) continue;
    const chatHeads = heads.filter(({ recipient }) => recipient.chatId === first.chatId);
    const message = isBusy(chatHeads) ? undefined : await messageFor(ready, first.chatId, options);
    if (message === undefined) {
      const nextMs = hasEnded.has(first.chatId) ? nowMs : nextOf(chatHeads, nowMs);
      waiting.push({ chatId: first.chatId, nextMs });
    } else messages.push(message);
  }
  const closed = heads
    .filter(({ alert, nextDueMs, hasWaiting }) => alert === undefined && nextDueMs === null && !hasWaiting)
    .map(({ recipient }) => recipient);
  return { messages: await lease(messages, waiting, options), closed, waiting };
}

/** Reads the next alert of each recipient. Alerts of quiet searches are marked as held and skipped. */
async function readHeads(recipients: readonly Recipient[], { sql, nowMs }: ClaimOptions): Promise<Head[]> {
  const audiences = await readAudiences(sql, recipients);
  const all = audiences.map((audience): ClaimedRecipient => {
    const { chatId, userId } = audience;
    return { chatId, userId, audience, quiet: quietSearchesOf(audience, nowMs) };
  });
  const withQuiet = all.filter(({ quiet }) => quiet.isAllSilent || quiet.silentIds.length > 0);
  if (withQuiet.length > 0) await holdAlerts(sql, withQuiet.map(silenceFor), nowMs);
  const heads = await readNextAlerts(sql, all.map(silenceFor), { nowMs });
  return heads.flatMap((head) => {
    const { chatId, userId } = head.recipient;
    const recipient = all.find((one) => one.chatId === chatId && one.userId === userId);
    return recipient === undefined ? [] : [{ ...head, recipient }];
  });
}

function silenceFor({ chatId, userId, quiet: { silentIds, speakingIds, isAllSilent } }: ClaimedRecipient) {
  return { chatId, userId, silence: { silentIds, speakingIds, isAllSilent } };
}

function decide(alert: OpenAlert, { audience }: ClaimedRecipient, nowMs: number): Decision {
  const active = activeSearchesOf(alert, audience);
  const facts = { hasActiveSearch: active.length > 0, leftOutBy: leftOutBy(alert, active, audience), nowMs };
  return decideAlert(alert, facts);
}

function isSending({ act }: Decision): boolean {
  return act === "send" || act === "summarise";
}

function isBusy(heads: readonly Head[]): boolean {
  return heads.some(({ inFlightUntilMs }) => inFlightUntilMs !== null);
}

/** Ends alerts that are not sent, and postpones notices. Returns their chats, which may have further alerts. */
async function settleWhatIsNotSent(
  decided: readonly Decided[],
  { sql, nowMs, leaseBy }: ClaimOptions,
): Promise<Set<string>> {
  const chats = new Set<string>();
  for (const { recipient, alert, decision } of decided) {
    const { chatId } = recipient;
    const one = { ids: [alert.id], leaseBy };
    switch (decision.act) {
      case "drop":
        await endAlertsOfRecipient(sql, recipient, { error: decision.because, kinds: decision.kinds, nowMs });
        break;
      case "drop-no-search":
        await endAlertsWithoutSearch(sql, recipient, { kinds: kindsThat("needsActiveSearch"), nowMs });
        break;
      case "drop-one":
        await endAlerts(sql, one, { state: "undeliverable", error: decision.because, nowMs });
        break;
      case "leave-out":
        await leaveOutAlert(sql, { id: alert.id, leftOutBy: decision.leftOutBy, now: new Date(nowMs) });
        await endAlerts(sql, one, { state: "undeliverable", error: "left out by a rule", nowMs });
        break;
      case "merge":
        await endAlerts(sql, one, { state: "merged", error: null, nowMs });
        break;
      case "wait":
        await postponeNotice(sql, alert.id, decision.untilMs);
        break;
      case "group":
        await groupNotices(sql, alert.id, decision.ids);
        break;
      case "mark-flapping":
        await markFlapping(sql, alert.id);
        break;
      default:
        continue;
    }
    chats.add(chatId);
  }
  return chats;
}

/** The chat's earliest alert, with all held alerts for the same topic. */
async function messageFor(
  ready: readonly Decided[],
  chatId: string,
  { sql, nowMs }: ClaimOptions,
): Promise<OutgoingMessage | undefined> {
  const [first] = ready
    .filter(({ recipient }) => recipient.chatId === chatId)
    .toSorted((one, other) => one.alert.position - other.alert.position);
  if (first === undefined) return undefined;
  const { recipient } = first;
  const { audience } = recipient;
  const alone: OutgoingMessage = { chatId, audience, alerts: [first.alert] };
  if (first.decision.act !== "summarise") return alone;
  await holdWithOthers(sql, recipient, { kinds: kindsThat("isHoldable"), nowMs });
  const topic = topicOfAlert(first.alert, audience, nowMs);
  const [head, ...others] = (await readHeld(sql, silenceFor(recipient), nowMs)).filter(
    (alert) => isSending(decide(alert, recipient, nowMs)) && topicOfAlert(alert, audience, nowMs) === topic,
  );
  return head === undefined ? alone : { ...alone, alerts: [head, ...others] };
}

function nextOf(heads: readonly Head[], nowMs: number): number {
  if (isBusy(heads)) return Math.max(...heads.map(({ inFlightUntilMs }) => inFlightUntilMs ?? nowMs));
  const dueMs = heads.flatMap(({ nextDueMs }) => nextDueMs ?? []);
  const heldMs = heads.flatMap(({ hasWaiting, recipient }) => (hasWaiting ? recipient.quiet.untilMs : []));
  // Nothing was ready now, so a mistake in these times must not make the sender claim again at once.
  return Math.max(nowMs + LEAST_WAIT_MS, Math.min(...dueMs, ...heldMs));
}

async function lease(
  messages: readonly OutgoingMessage[],
  waiting: { chatId: string; nextMs: number }[],
  { sql, nowMs, leaseBy, leaseMs }: ClaimOptions,
): Promise<OutgoingMessage[]> {
  if (messages.length === 0) return [];
  const ids = messages.flatMap(({ alerts }) => alerts.map(({ id }) => id));
  const got = await leaseAlerts(sql, { ids, leaseBy, nowMs, untilMs: nowMs + leaseMs });
  return messages.flatMap(({ chatId, alerts, audience }) => {
    const [first, ...others] = alerts.filter(({ id }) => got.has(id));
    if (first !== undefined) return [{ chatId, audience, alerts: [first, ...others] }];
    waiting.push({ chatId, nextMs: nowMs });
    return [];
  });
}
