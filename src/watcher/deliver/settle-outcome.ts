import type { Sql } from "postgres";
import type { ChatTrouble, SendOutcome } from "#core/channel.ts";
import { moveChat, type Standing, setStanding } from "#store/chats.ts";
import { savePaces } from "#store/outbox-pace.ts";
import {
  endAlerts,
  endAlertsOfChat,
  expireAlertsOfChat,
  markSent,
  releaseAlerts,
} from "#store/outbox-settle.ts";
import type { Parcel } from "./claim-alerts.ts";
import type { Paces } from "./paces.ts";
import {
  jittered,
  NO_RIGHTS_MS,
  PATIENCE_MS,
  retryDelayMs,
  UNSAID_FLOOD_MS,
  unansweredDelayMs,
} from "./retry-delay.ts";

export interface SettleOptions {
  readonly sql: Sql;
  readonly paces: Paces;
  readonly leaseBy: string;
  readonly nowMs: number;
  readonly random: () => number;
}

type Outcome<Type extends SendOutcome["type"]> = Extract<SendOutcome, { type: Type }>;

/** Writes down what became of a message. Can be said again until the database has heard it. */
export async function settleOutcome(
  parcel: Parcel,
  outcome: SendOutcome,
  options: SettleOptions,
): Promise<void> {
  const { sql, leaseBy, nowMs } = options;
  const leased = { ids: parcel.alerts.map(({ id }) => id), leaseBy };
  const error = outcome.type === "sent" ? null : outcome.error;
  switch (outcome.type) {
    case "sent":
      return settleSent(parcel, outcome, options);
    case "closed":
      return settleClosed(parcel, outcome, options);
    case "moved":
      await moveChat(sql, parcel.chatId, outcome.toChatId);
      return releaseAlerts(sql, { ...leased, error, isTry: false });
    case "flood": {
      const waitMs = outcome.retryAfterMs ?? UNSAID_FLOOD_MS;
      options.paces.pause(parcel.chatId, nowMs + waitMs + Math.round(options.random() * 250));
      await savePaces(sql, [options.paces.of(parcel.chatId)]);
      return releaseAlerts(sql, { ...leased, error, isTry: false });
    }
    case "refused-us":
      return releaseAlerts(sql, { ...leased, error, isTry: false });
    case "failed":
      return outcome.scope === "chat"
        ? failChat(parcel, options, { error, isAmbiguous: false, delayMs: retryDelayMs })
        : failAlert(parcel, outcome, options);
    case "unknown":
      return failChat(parcel, options, { error, isAmbiguous: true, delayMs: unansweredDelayMs });
    case "hopeless":
      return endAlerts(sql, leased, { state: "undeliverable", error, nowMs });
  }
}

async function settleSent(
  { chatId, alerts }: Parcel,
  { messageId, toldCount }: Outcome<"sent">,
  { sql, leaseBy, nowMs, paces }: SettleOptions,
): Promise<void> {
  const ids = alerts.map(({ id }) => id);
  await markSent(sql, { ids: ids.slice(0, toldCount), leaseBy, messageId, nowMs });
  const left = ids.slice(toldCount);
  if (left.length > 0) await releaseAlerts(sql, { ids: left, leaseBy, error: null, isTry: false });
  if (paces.recover(chatId)) await savePaces(sql, [paces.of(chatId)]);
  if (alerts[0].chatStanding !== "ok") await setStanding(sql, chatId, { state: "ok" });
}

async function settleClosed(
  parcel: Parcel,
  { trouble, error }: Outcome<"closed">,
  options: SettleOptions,
): Promise<void> {
  const { sql, paces } = options;
  await setStanding(sql, parcel.chatId, standingOf(trouble));
  if (trouble === "no-rights") {
    return failChat(parcel, options, { error, isAmbiguous: false, delayMs: () => NO_RIGHTS_MS });
  }
  await endAlertsOfChat(sql, parcel.chatId, error);
  if (paces.recover(parcel.chatId)) await savePaces(sql, [paces.of(parcel.chatId)]);
}

function standingOf(trouble: ChatTrouble): Standing {
  return trouble === "blocked" ? { state: "blocked" } : { state: "unreachable", reason: trouble };
}

/** The chat waits, and what has waited through a day of failures is given up. */
async function failChat(
  { chatId, alerts }: Parcel,
  { sql, paces, leaseBy, nowMs, random }: SettleOptions,
  trouble: { error: string | null; isAmbiguous: boolean; delayMs: (failures: number) => number },
): Promise<void> {
  const { error, isAmbiguous, delayMs } = trouble;
  const pace = paces.fail(chatId, nowMs, (failures) => jittered(delayMs(failures), random));
  await savePaces(sql, [pace]);
  await releaseAlerts(sql, { ids: alerts.map(({ id }) => id), leaseBy, error, isTry: true, isAmbiguous });
  await expireAlertsOfChat(sql, chatId, {
    failingSinceMs: pace.failingSinceMs ?? nowMs,
    beforeMs: nowMs - PATIENCE_MS,
  });
}

/** The alert alone waits; what comes after it may pass. */
async function failAlert(
  { alerts }: Parcel,
  { error }: Outcome<"failed">,
  { sql, leaseBy, nowMs, random }: SettleOptions,
): Promise<void> {
  const leased = { ids: alerts.map(({ id }) => id), leaseBy };
  // One of several is at fault, and nobody knows which.
  if (alerts.length > 1) return releaseAlerts(sql, { ...leased, error, isTry: true, isParted: true });
  const [{ attempts, failingSinceMs }] = alerts;
  if (failingSinceMs !== null && nowMs - failingSinceMs >= PATIENCE_MS) {
    return endAlerts(sql, leased, { state: "expired", error, nowMs });
  }
  const notBeforeMs = nowMs + jittered(retryDelayMs(attempts + 1), random);
  return releaseAlerts(sql, { ...leased, error, isTry: true, notBeforeMs, failingSinceMs: nowMs });
}
