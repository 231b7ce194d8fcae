import type { Sql } from "postgres";
import { ALERT_KINDS, type AlertNews } from "#core/alert/alert.ts";
import type { ChannelMessage } from "#core/ports/channel.ts";
import {
  type Lane,
  type LaneHead,
  type OpenAlert,
  readHeads,
  readHeld,
  readUrgent,
} from "#store/outbox/outbox.ts";
import { endAlerts, endAlertsOfLane, holdAlerts, leaseAlerts } from "#store/outbox/outbox-settle.ts";
import { alertLanguageOf } from "./alert-language.ts";
import { type Decision, decideAlert, HOLDABLE_KINDS } from "./decide-alert.ts";

/** One message to be sent: an alert, or several that waited. */
export interface OutgoingMessage {
  readonly chatId: string;
  readonly alerts: readonly [OpenAlert, ...OpenAlert[]];
}

export interface Claim {
  readonly messages: readonly OutgoingMessage[];
  /** Lanes with nothing open. */
  readonly closed: readonly Lane[];
  /** Chats without a message, and when to look at them again. */
  readonly waiting: readonly { readonly chatId: string; readonly nextMs: number }[];
}

interface Judged {
  readonly lane: Lane;
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
  chats: readonly (readonly Lane[])[],
  options: ClaimOptions,
): Promise<Claim> {
  const { sql, nowMs } = options;
  const heads = await readHeads(sql, chats.flat(), nowMs);
  const judged = heads.flatMap(({ lane, alert }) =>
    alert === undefined ? [] : [{ lane, alert, decision: decideAlert(alert, nowMs) }],
  );
  const hasEnded = await endWhatIsNotTold(judged, options);
  const urgent = await holdWhatMustWait(judged, options);
  const ready = [...judged.filter(({ decision }) => isTelling(decision)), ...urgent];

  const messages: OutgoingMessage[] = [];
  const waiting: { chatId: string; nextMs: number }[] = [];
  for (const [first] of chats) {
    if (first === undefined) continue;
    const chatHeads = heads.filter(({ lane }) => lane.chatId === first.chatId);
    const message = isBusy(chatHeads) ? undefined : await pack(ready, first.chatId, options);
    if (message === undefined) {
      const nextMs = hasEnded.has(first.chatId) ? nowMs : nextOf(chatHeads, judged, nowMs);
      waiting.push({ chatId: first.chatId, nextMs });
    } else messages.push(message);
  }
  const closed = heads
    .filter(({ alert, nextDueMs }) => alert === undefined && nextDueMs === null)
    .map(({ lane }) => lane);
  return { messages: await lease(messages, waiting, options), closed, waiting };
}

function isTelling({ act }: Decision): boolean {
  return act === "send" || act === "summarise";
}

function isBusy(heads: readonly LaneHead[]): boolean {
  return heads.some(({ inFlightUntilMs }) => inFlightUntilMs !== null);
}

/** The chats in which something was ended, so that there may be more behind it. */
async function endWhatIsNotTold(
  judged: readonly Judged[],
  { sql, nowMs, leaseBy }: ClaimOptions,
): Promise<Set<string>> {
  const chats = new Set<string>();
  for (const { lane, alert, decision } of judged) {
    const one = { ids: [alert.id], leaseBy };
    switch (decision.act) {
      case "drop":
        await endAlertsOfLane(sql, lane, { error: decision.because, kinds: decision.kinds, nowMs });
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
    chats.add(lane.chatId);
  }
  return chats;
}

/** Marks what waits, and answers what of the same lanes does not. */
async function holdWhatMustWait(judged: readonly Judged[], { sql, nowMs }: ClaimOptions): Promise<Judged[]> {
  const held = judged.filter(({ decision }) => decision.act === "hold").map(({ lane }) => lane);
  if (held.length === 0) return [];
  await holdAlerts(sql, held, { kinds: HOLDABLE_KINDS, nowMs });
  const urgent = await readUrgent(sql, held, { nowMs, kinds: URGENT_KINDS });
  return urgent
    .map((alert) => ({ lane: alert, alert, decision: decideAlert(alert, nowMs) }))
    .filter(({ decision }) => isTelling(decision));
}

/** The chat's earliest, with all that waited with it. */
async function pack(
  ready: readonly Judged[],
  chatId: string,
  { sql, nowMs }: ClaimOptions,
): Promise<OutgoingMessage | undefined> {
  const [first] = ready
    .filter(({ lane }) => lane.chatId === chatId)
    .toSorted((one, other) => one.alert.position - other.alert.position);
  if (first === undefined) return undefined;
  const alone: OutgoingMessage = { chatId, alerts: [first.alert] };
  if (first.decision.act !== "summarise") return alone;
  await holdAlerts(sql, [first.lane], { kinds: HOLDABLE_KINDS, nowMs });
  const [head, ...others] = (await readHeld(sql, first.lane, nowMs)).filter((alert) =>
    isTelling(decideAlert(alert, nowMs)),
  );
  return head === undefined ? alone : { ...alone, alerts: [head, ...others] };
}

function nextOf(heads: readonly LaneHead[], judged: readonly Judged[], nowMs: number): number {
  if (isBusy(heads)) return Math.max(...heads.map(({ inFlightUntilMs }) => inFlightUntilMs ?? nowMs));
  const dueMs = heads.flatMap(({ nextDueMs }) => nextDueMs ?? []);
  const heldMs = judged.flatMap(({ lane, decision }) =>
    heads.some((head) => head.lane === lane) && decision.act === "hold" ? decision.untilMs : [],
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
    language: alertLanguageOf(first),
    // The facts were written by our own watcher, in the shape of their kind.
    news: alerts.map(({ kind, payload }) => ({ kind, payload }) as AlertNews),
    replyTo: isAlone ? first.replyTo : null,
  };
}
