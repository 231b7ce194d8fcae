import type { Sql } from "postgres";
import { ALERT_KINDS, type AlertNews } from "#core/alert/alert.ts";
import { DEFAULT_LANGUAGE } from "#core/languages.ts";
import type { ChannelMessage } from "#core/ports/channel.ts";
import { endAlerts, endAlertsOfRecipient, holdAlerts, leaseAlerts } from "#store/outbox/alert-states.ts";
import {
  type NextAlert,
  type OpenAlert,
  type Recipient,
  readHeld,
  readNextAlerts,
} from "#store/outbox/outbox.ts";
import { type Decision, decideAlert, HOLDABLE_KINDS } from "./decide-alert.ts";

/** One message to be sent: an alert, or several that waited. */
export interface OutgoingMessage {
  readonly chatId: string;
  readonly alerts: readonly [OpenAlert, ...OpenAlert[]];
}

export interface Claim {
  readonly messages: readonly OutgoingMessage[];
  /** Who has nothing open. */
  readonly closed: readonly Recipient[];
  /** Chats without a message, and when to look at them again. */
  readonly waiting: readonly { readonly chatId: string; readonly nextMs: number }[];
}

interface Decided {
  readonly recipient: Recipient;
  readonly alert: OpenAlert;
  readonly decision: Decision;
}

export interface ClaimOptions {
  readonly sql: Sql;
  readonly nowMs: number;
  readonly leaseBy: string;
  readonly leaseMs: number;
}

const URGENT_KINDS = ALERT_KINDS.filter((kind) => !HOLDABLE_KINDS.includes(kind));

/** For each of the chats: what is to be told next, leased; or why nothing is. */
export async function claimAlerts(
  chats: readonly (readonly Recipient[])[],
  options: ClaimOptions,
): Promise<Claim> {
  const { sql, nowMs } = options;
  const heads = await readNextAlerts(sql, chats.flat(), { nowMs });
  const decided = decideAll(heads, nowMs);
  const hasEnded = await endWhatIsNotSent(decided, options);
  const urgent = await holdWhatMustWait(decided, options);
  const ready = [...decided.filter(({ decision }) => isSending(decision)), ...urgent];

  const messages: OutgoingMessage[] = [];
  const waiting: { chatId: string; nextMs: number }[] = [];
  for (const [first] of chats) {
    if (first === undefined) continue;
    const chatHeads = heads.filter(({ recipient }) => recipient.chatId === first.chatId);
    const message = isBusy(chatHeads) ? undefined : await messageFor(ready, first.chatId, options);
    if (message === undefined) {
      const nextMs = hasEnded.has(first.chatId) ? nowMs : nextOf(chatHeads, decided, nowMs);
      waiting.push({ chatId: first.chatId, nextMs });
    } else messages.push(message);
  }
  const closed = heads
    .filter(({ alert, nextDueMs }) => alert === undefined && nextDueMs === null)
    .map(({ recipient }) => recipient);
  return { messages: await lease(messages, waiting, options), closed, waiting };
}

function decideAll(heads: readonly NextAlert[], nowMs: number): Decided[] {
  return heads.flatMap(({ recipient, alert }) =>
    alert === undefined ? [] : [{ recipient, alert, decision: decideAlert(alert, nowMs) }],
  );
}

function isSending({ act }: Decision): boolean {
  return act === "send" || act === "summarise";
}

function isBusy(heads: readonly NextAlert[]): boolean {
  return heads.some(({ inFlightUntilMs }) => inFlightUntilMs !== null);
}

/** The chats in which something was ended, so that there may be more behind it. */
async function endWhatIsNotSent(
  decided: readonly Decided[],
  { sql, nowMs, leaseBy }: ClaimOptions,
): Promise<Set<string>> {
  const chats = new Set<string>();
  for (const { recipient, alert, decision } of decided) {
    const one = { ids: [alert.id], leaseBy };
    switch (decision.act) {
      case "drop":
        await endAlertsOfRecipient(sql, recipient, { error: decision.because, kinds: decision.kinds, nowMs });
        break;
      case "drop-one":
        await endAlerts(sql, one, { state: "undeliverable", error: decision.because, nowMs });
        break;
      case "merge":
        await endAlerts(sql, one, { state: "merged", error: null, nowMs });
        break;
      default:
        continue;
    }
    chats.add(recipient.chatId);
  }
  return chats;
}

/** Marks what waits, and answers what of the same people does not. */
async function holdWhatMustWait(
  decided: readonly Decided[],
  { sql, nowMs }: ClaimOptions,
): Promise<Decided[]> {
  const held = decided.filter(({ decision }) => decision.act === "hold").map(({ recipient }) => recipient);
  if (held.length === 0) return [];
  await holdAlerts(sql, held, { kinds: HOLDABLE_KINDS, nowMs });
  const urgent = await readNextAlerts(sql, held, { nowMs, kinds: URGENT_KINDS });
  return decideAll(urgent, nowMs).filter(({ decision }) => isSending(decision));
}

/** The chat's earliest, with all that waited with it. */
async function messageFor(
  ready: readonly Decided[],
  chatId: string,
  { sql, nowMs }: ClaimOptions,
): Promise<OutgoingMessage | undefined> {
  const [first] = ready
    .filter(({ recipient }) => recipient.chatId === chatId)
    .toSorted((one, other) => one.alert.position - other.alert.position);
  if (first === undefined) return undefined;
  const alone: OutgoingMessage = { chatId, alerts: [first.alert] };
  if (first.decision.act !== "summarise") return alone;
  await holdAlerts(sql, [first.recipient], { kinds: HOLDABLE_KINDS, nowMs });
  const [head, ...others] = (await readHeld(sql, first.recipient, nowMs)).filter((alert) =>
    isSending(decideAlert(alert, nowMs)),
  );
  return head === undefined ? alone : { ...alone, alerts: [head, ...others] };
}

function nextOf(heads: readonly NextAlert[], decided: readonly Decided[], nowMs: number): number {
  if (isBusy(heads)) return Math.max(...heads.map(({ inFlightUntilMs }) => inFlightUntilMs ?? nowMs));
  const dueMs = heads.flatMap(({ nextDueMs }) => nextDueMs ?? []);
  const heldMs = decided.flatMap(({ recipient, decision }) =>
    heads.some((head) => head.recipient === recipient) && decision.act === "hold" ? decision.untilMs : [],
  );
  return Math.max(nowMs, Math.min(...dueMs, ...heldMs));
}

async function lease(
  messages: readonly OutgoingMessage[],
  waiting: { chatId: string; nextMs: number }[],
  { sql, nowMs, leaseBy, leaseMs }: ClaimOptions,
): Promise<OutgoingMessage[]> {
  if (messages.length === 0) return [];
  const ids = messages.flatMap(({ alerts }) => alerts.map(({ id }) => id));
  const got = await leaseAlerts(sql, { ids, leaseBy, nowMs, untilMs: nowMs + leaseMs });
  return messages.flatMap(({ chatId, alerts }) => {
    const [first, ...others] = alerts.filter(({ id }) => got.has(id));
    if (first !== undefined) return [{ chatId, alerts: [first, ...others] }];
    waiting.push({ chatId, nextMs: nowMs });
    return [];
  });
}

/** The message as the channel takes it. */
export function messageOf({ chatId, alerts }: OutgoingMessage): ChannelMessage {
  const [first] = alerts;
  const isAlone = alerts.length === 1;
  return {
    chatId,
    userId: first.userId,
    language: first.language ?? DEFAULT_LANGUAGE,
    // The facts were written by our own watcher, in the shape of their kind.
    news: alerts.map(({ kind, payload }) => ({ kind, payload }) as AlertNews),
    replyTo: isAlone ? first.replyTo : null,
  };
}
