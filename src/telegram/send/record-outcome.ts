import type { Sql } from "postgres";
import { ALERT_KINDS } from "#core/alert/alert-kinds.ts";
import type { Logger } from "#core/ports/logger.ts";
import { moveChat, type Standing, setStanding } from "../rows/chats.ts";
import { noteLanguage } from "../rows/conversations.ts";
import type { ClosedChatReason, SendOutcome } from "./channel.ts";
import type { OutgoingMessage } from "./claim-alerts.ts";
import { alertLanguage } from "./message-of.ts";
import {
  copyDelayMs,
  floodDelayMs,
  jittered,
  noRightsDelayMs,
  PATIENCE_MS,
  REFUSED_PATIENCE_MS,
  refusedDelayMs,
  retryDelayMs,
  serverDownDelayMs,
  silentChatDelayMs,
  unansweredDelayMs,
} from "./retry-delay.ts";
import {
  endAlerts,
  endAlertsOfChat,
  expireAlertsOfChat,
  holdAlertsOfChat,
  markSent,
  releaseAlerts,
} from "./rows/alert-states.ts";
import { forgetTopic } from "./rows/audiences.ts";
import { type ChatPace, savePaces } from "./rows/send-state.ts";
import type { SendLimits } from "./send-limits.ts";
import type { Write } from "./write-until-done.ts";

interface RecordOptions {
  readonly limits: SendLimits;
  readonly leaseBy: string;
  readonly nowMs: number;
  readonly random: () => number;
}

/** How often an alert that the server fails on is tried before later alerts of its chat. */
const TRIES_IN_TURN = 3;
/** Long enough for one later alert. */
const NEXT_FIRST_MS = 5_000;
/** So long what is found for a chat without the right to post waits to be summed up. */
const HELD_PATIENCE_MS = 30 * PATIENCE_MS;
const HOLDABLE_KINDS = Object.entries(ALERT_KINDS).flatMap(([kind, { isHoldable }]) =>
  isHoldable ? [kind] : [],
);

type Outcome<Type extends SendOutcome["type"]> = Extract<SendOutcome, { type: Type }>;

/** Updates the limits with the outcome and returns the write that records it. */
export function recordOutcome(message: OutgoingMessage, outcome: SendOutcome, options: RecordOptions): Write {
  const { leaseBy, nowMs, limits } = options;
  const leased = { ids: message.alerts.map(({ id }) => id), leaseBy };
  const error = outcome.type === "sent" ? null : outcome.error;
  const release: Write = (sql) => releaseAlerts(sql, { ...leased, error, isTry: false });
  switch (outcome.type) {
    case "sent":
      return recordSent(message, outcome, options);
    case "closed":
      return recordClosed(message, outcome, options);
    case "moved":
      return recordMoved(message, outcome, options);
    case "flood":
      return recordFlood(message, outcome, options);
    case "refused-us":
      if (!limits.isRefused) limits.changeSender({ refusedSinceMs: nowMs });
      return release;
    case "failed":
      return recordFailed(message, outcome, options);
    case "unknown":
      return outcome.isUnsent
        ? failChat(message, options, { error, delayMs: unansweredDelayMs, isTry: false })
        : recordUnanswered(message, outcome, options);
    case "hopeless":
      return (sql) => endAlerts(sql, leased, { state: "undeliverable", error, nowMs, failure: "refused" });
  }
}

function recordFailed(message: OutgoingMessage, outcome: Outcome<"failed">, options: RecordOptions): Write {
  const { limits, nowMs } = options;
  if (outcome.scope === "alert") return failAlert(message, outcome, options);
  // If the answer before was a message accepted elsewhere, the failure concerns this chat.
  const delayMs = outcome.isServerDown && limits.isAway ? serverDownDelayMs : retryDelayMs;
  const fail = failChat(message, options, { error: outcome.error, delayMs });
  const [{ id, attempts, failingSinceMs }] = message.alerts;
  // Several alerts that the server fails on show an outage of its own: for a while they are not made simpler.
  const isOutage = outcome.isServerDown === true && limits.serverFailed(id) > 1;
  const isSuspect = !isOutage || nowMs - (failingSinceMs ?? nowMs) > REFUSED_PATIENCE_MS;
  if (attempts + 1 < TRIES_IN_TURN) return fail;
  // The alert may be what fails, in words that we do not know: the chat's next alerts are tried before it.
  const notBeforeMs = (limits.paceOf(message.chatId).pausedUntilMs ?? nowMs) + NEXT_FIRST_MS;
  const given = { notBeforeMs, patienceMs: PATIENCE_MS, isSuspect };
  const setAside = failAlert(message, outcome, options, given);
  return async (sql) => {
    await setAside(sql);
    await fail(sql);
  };
}

/** Two chats that name each other as the new one wait, as failing chats do. */
function recordMoved(
  message: OutgoingMessage,
  { toChatId, error }: Outcome<"moved">,
  options: RecordOptions,
): Write {
  const { alerts, chatId } = message;
  if (alerts[0].attempts + 1 >= TRIES_IN_TURN)
    return failChat(message, options, { error, delayMs: retryDelayMs });
  const leased = { ids: alerts.map(({ id }) => id), leaseBy: options.leaseBy };
  return async (sql) => {
    await moveChat(sql, chatId, toChatId);
    await releaseAlerts(sql, { ...leased, error, isTry: true });
  };
}

/** A wait is no try, but a chat that is only ever told to wait has failed after a day. */
function recordFlood(
  { chatId, alerts }: OutgoingMessage,
  { retryAfterMs, isAfterRefusal = false, error }: Outcome<"flood">,
  { leaseBy, nowMs, limits, random }: RecordOptions,
): Write {
  const pace = limits.flooded(chatId, nowMs, nowMs + floodDelayMs(retryAfterMs, random));
  const released = { ids: alerts.map(({ id }) => id), leaseBy, error, isTry: isAfterRefusal };
  return async (sql) => {
    await savePaces(sql, [pace]);
    await releaseAlerts(sql, { ...released, ...(isAfterRefusal && { failingSinceMs: nowMs }) });
    await expireFailing(sql, pace, nowMs);
  };
}

async function expireFailing(
  sql: Sql,
  { chatId, failingSinceMs }: Pick<ChatPace, "chatId" | "failingSinceMs">,
  nowMs: number,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  if (failingSinceMs === null) return;
  await expireAlertsOfChat(sql, chatId, { failingSinceMs, beforeMs: nowMs - patienceMs, nowMs });
}

/** A group may be closed to posts for days. What came meanwhile is summed up afterwards, as after a long pause. */
async function holdFailing(
  sql: Sql,
  pace: Pick<ChatPace, "chatId" | "failingSinceMs">,
  nowMs: number,
): Promise<void> {
  const { chatId, failingSinceMs } = pace;
  if (failingSinceMs === null) return;
  const waited = { failingSinceMs, beforeMs: nowMs - PATIENCE_MS, nowMs };
  await holdAlertsOfChat(sql, chatId, { kinds: HOLDABLE_KINDS, ...waited });
  await expireFailing(sql, pace, nowMs, HELD_PATIENCE_MS);
}

function recordSent(
  message: OutgoingMessage,
  { messageId, includedCount, goneTopicId }: Outcome<"sent">,
  { leaseBy, nowMs, limits }: RecordOptions,
): Write {
  const { chatId, alerts } = message;
  const ids = alerts.map(({ id }) => id);
  const language = alertLanguage(message);
  const left = ids.slice(includedCount);
  const recovered = limits.accepted(chatId, nowMs);
  return async (sql) => {
    await markSent(sql, { ids: ids.slice(0, includedCount), leaseBy, messageId, language, nowMs });
    if (left.length > 0) await releaseAlerts(sql, { ids: left, leaseBy, error: null, isTry: false });
    if (recovered !== undefined) await savePaces(sql, [recovered]);
    if (goneTopicId !== undefined) await forgetTopic(sql, chatId, goneTopicId);
    if (alerts[0].lastLanguage !== language) await noteLanguage(sql, chatId, language);
    if (alerts[0].chatStanding !== "ok") await setStanding(sql, chatId, { state: "ok" });
  };
}

function recordClosed(
  message: OutgoingMessage,
  { reason, error }: Outcome<"closed">,
  options: RecordOptions,
): Write {
  const { chatId } = message;
  if (reason === "no-rights") {
    const fail = failChat(message, options, { error, delayMs: noRightsDelayMs, isHeld: true });
    return async (sql) => {
      await setStanding(sql, chatId, standingOf(reason));
      await fail(sql);
    };
  }
  const recovered = options.limits.recovered(chatId);
  return async (sql) => {
    await setStanding(sql, chatId, standingOf(reason));
    await endAlertsOfChat(sql, chatId, error);
    if (recovered !== undefined) await savePaces(sql, [recovered]);
  };
}

function standingOf(reason: ClosedChatReason): Standing {
  return reason === "blocked" ? { state: "blocked" } : { state: "unreachable", reason };
}

/** Delays all alerts of the chat, and gives up those that have waited through a day of failures. */
function failChat(
  { alerts, chatId }: OutgoingMessage,
  { limits, leaseBy, nowMs, random }: RecordOptions,
  failure: {
    readonly error: string | null;
    readonly delayMs: (failures: number) => number;
    readonly isTry?: boolean;
    readonly isAmbiguous?: boolean;
    /** Its alerts are held instead of given up. */
    readonly isHeld?: boolean;
  },
): Write {
  const { error, delayMs, isTry = true, isAmbiguous = false, isHeld = false } = failure;
  const ids = alerts.map(({ id }) => id);
  const pace = limits.failed(chatId, nowMs, (failures) => jittered(delayMs(failures), random));
  return async (sql) => {
    await savePaces(sql, [pace]);
    await releaseAlerts(sql, { ids, leaseBy, error, isTry, isAmbiguous });
    await (isHeld ? holdFailing : expireFailing)(sql, pace, nowMs);
  };
}

/** Delays only this alert. Later alerts may be sent before it. */
function failAlert(
  { alerts }: OutgoingMessage,
  { error }: Outcome<"failed">,
  { leaseBy, nowMs, random }: RecordOptions,
  given?: { readonly notBeforeMs: number; readonly patienceMs: number; readonly isSuspect: boolean },
): Write {
  const leased = { ids: alerts.map(({ id }) => id), leaseBy };
  // It is unknown which alert of the summary failed, so each is retried on its own.
  if (alerts.length > 1) {
    return (sql) => releaseAlerts(sql, { ...leased, error, isTry: true, isSingle: true });
  }
  const [{ attempts, failingSinceMs }] = alerts;
  if (failingSinceMs !== null && nowMs - failingSinceMs >= (given?.patienceMs ?? REFUSED_PATIENCE_MS)) {
    const end = given
      ? ({ state: "expired", failure: "expired" } as const)
      : ({ state: "undeliverable", failure: "refused" } as const);
    return (sql) => endAlerts(sql, leased, { ...end, error, nowMs });
  }
  const delayMs = given === undefined ? refusedDelayMs(attempts + 1) : retryDelayMs(attempts + 1);
  const notBeforeMs = Math.max(given?.notBeforeMs ?? nowMs, nowMs + jittered(delayMs, random));
  const failure = { error, isTry: given?.isSuspect ?? true, notBeforeMs, failingSinceMs: nowMs };
  return (sql) => releaseAlerts(sql, { ...leased, ...failure });
}

/**
 * Each send without an answer may be a copy in the chat: the second comes soon and without its picture, the third after minutes,
 * and there is no fourth. After the second the chat's next alert is tried. If that is not answered either, the chat waits.
 */
function recordUnanswered(
  message: OutgoingMessage,
  { error }: Outcome<"unknown">,
  options: RecordOptions,
): Write {
  const { leaseBy, nowMs, random } = options;
  const pause = failChat(message, options, { error, delayMs: silentChatDelayMs, isAmbiguous: true });
  // Those of a summary may differ: some were in it before.
  const writes = [...Map.groupBy(message.alerts, ({ unanswered }) => unanswered + 1)].flatMap(
    ([unanswered, alerts]): Write[] => {
      const leased = { ids: alerts.map(({ id }) => id), leaseBy };
      const end = { state: "undeliverable", error, nowMs, failure: "unanswered" } as const;
      const delayMs = copyDelayMs(unanswered);
      if (delayMs === undefined) return [(sql) => endAlerts(sql, leased, end)];
      if (unanswered === 1) return [];
      const notBeforeMs = nowMs + jittered(delayMs, random);
      const again = { ...leased, error, isTry: true, isAmbiguous: true, notBeforeMs };
      return [(sql) => releaseAlerts(sql, again)];
    },
  );
  return async (sql) => {
    for (const write of writes) await write(sql);
    await pause(sql);
  };
}

/** An alert that can never be sent is our bug, so it is logged as an error. */
export function logOutcome(logger: Logger, { alerts }: OutgoingMessage, outcome: SendOutcome): void {
  if (outcome.type === "sent") return;
  const isBug = outcome.type === "hopeless" || (outcome.type === "failed" && outcome.scope === "alert");
  const facts = { alert: alerts[0].id, outcome: outcome.type, error: outcome.error };
  if (isBug) logger.error(facts, "an alert cannot be sent");
  else logger.warn(facts, "could not send an alert");
}

/** Logs an outcome that stops all sending. */
export function logPause(logger: Logger, outcome: SendOutcome, pausedMs: number): void {
  if (outcome.type === "refused-us") {
    const { error } = outcome;
    logger.error({ error }, "Telegram does not accept the bot's token; all alerts wait");
    return;
  }
  logger.warn({ seconds: Math.ceil(pausedMs / 1000) }, "rate-limited by Telegram, all sending pauses");
}
