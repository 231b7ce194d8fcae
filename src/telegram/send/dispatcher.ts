import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { withTimeout } from "#platform/timing.ts";
import { followMovedChats } from "../rows/chats.ts";
import type { Channel, ChannelMessage, SendOutcome } from "./channel.ts";
import { afterSend, wasFloodedAgain } from "./chat-pace.ts";
import { ChatTurns } from "./chat-turns.ts";
import { claimAlerts, type OutgoingMessage } from "./claim-alerts.ts";
import type { Clock } from "./clock.ts";
import { messageOf } from "./message-of.ts";
import { Outage } from "./outage/outage.ts";
import { logOutcome, logPause, recordOutcome } from "./record-outcome.ts";
import { floodDelayMs } from "./retry-delay.ts";
import { releaseAlerts } from "./rows/alert-states.ts";
import { findOpenRecipients } from "./rows/recipients.ts";
import { readPaces, readSender, savePaces, saveSender } from "./rows/send-state.ts";
import { SendLimits } from "./send-limits.ts";
import { type Write, writeUntilDone } from "./write-until-done.ts";

export interface DispatcherOptions {
  readonly sql: Sql;
  readonly channel: Channel;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** Longer than any send can take. */
  readonly leaseMs: number;
  /** Alerts are leased this long before a slot is free, so that no slot stays empty. */
  readonly lookAheadMs: number;
  /** Called when there may be more to send. */
  readonly onChange: () => void;
  /** For metrics. */
  readonly onSend?: ((message: OutgoingMessage, outcome: SendOutcome, nowMs: number) => void) | undefined;
  /** Whether this process still holds the sender's lock. */
  readonly isHeld?: () => boolean;
}

const PROBE_MS = 60_000;
const WRITE_RETRY_MS = 500;
const ANSWER_MS = 10_000;
/** How long a stopping process retries a failed write. */
const CLOSING_MS = 5_000;
/** Of the thirty a second: a burst of alerts finds these free, however many edits wait. */
const SLOTS_LEFT_BY_LOW = 25;
/**
 * While this many messages are queued no more are leased, so that a few claims per second are enough at full load. They last
 * for 400 ms, longer than a claim takes on a busy machine.
 */
const ENOUGH_QUEUED = 12;

/**
 * Sends open alerts, taking turns and within the rate limits: lease, send, record. Only one dispatcher among all machines
 * works at a time. Its state is also in the database, for its successor.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #leaseBy = randomUUID();
  readonly #limits = new SendLimits();
  readonly #outage = new Outage();
  readonly #turns: ChatTurns;
  readonly #inFlight = new Set<Promise<void>>();
  /** Leased messages that wait for a slot. */
  #queue: OutgoingMessage[] = [];
  #cancelTimer: () => void = () => {};
  #nextProbeMs = 0;
  #isClosing = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#turns = new ChatTurns((chatId) => this.#limits.chatFreeMs(chatId, options.clock.now()));
  }

  /** Loads the rate limit state of the previous sender. */
  async open(): Promise<void> {
    const { sql, clock } = this.#options;
    const [paces, sender] = await withTimeout(
      ANSWER_MS,
      Promise.all([readPaces(sql, clock.now()), readSender(sql), this.#outage.open(sql)]),
    );
    this.#limits.load(paces, sender);
    this.#limits.isAway = this.#outage.isAway;
  }

  /** Finds recipients with open alerts. A full scan also makes postponed chats due. */
  async scan(isFull: boolean): Promise<void> {
    const { sql, clock } = this.#options;
    await withTimeout(ANSWER_MS, followMovedChats(sql));
    this.#turns.note(await withTimeout(ANSWER_MS, findOpenRecipients(sql)), { nowMs: clock.now(), isFull });
    if (isFull) this.#limits.forgetOld(clock.now());
  }

  /** Leases and starts to send what may be sent now. */
  async pump(): Promise<void> {
    if (this.#limits.isRefused) await this.#probe();
    if (this.#mustPause() || this.#queue.length >= ENOUGH_QUEUED) return;
    const { sql, clock, leaseMs, lookAheadMs } = this.#options;
    const nowMs = clock.now();
    const room = this.#limits.slotsBy(nowMs + lookAheadMs) - this.#queue.length;
    const chats = room > 0 ? this.#turns.take(nowMs, room) : [];
    if (chats.length === 0) return;
    try {
      const claiming = claimAlerts(chats, { sql, nowMs, leaseBy: this.#leaseBy, leaseMs });
      const claim = await withTimeout(ANSWER_MS, claiming);
      for (const { chatId, nextMs } of claim.waiting) this.#turns.free(chatId, nextMs);
      for (const recipient of claim.closed) this.#turns.close(recipient);
      await withTimeout(ANSWER_MS, this.#announce(claim.messages));
      this.#queue.push(...claim.messages);
    } catch (error) {
      // Leased alerts become due again when their lease ends.
      for (const [first] of chats) if (first) this.#turns.free(first.chatId, nowMs + WRITE_RETRY_MS);
      throw error;
    }
    if (this.#mustPause()) await withTimeout(ANSWER_MS, this.#giveBack()(sql));
    else this.#sendQueued();
  }

  /**
   * Edits a message if nothing waits to be sent. Counts towards the overall limit, but not towards the chat's. An edit of low
   * priority leaves nearly all slots to alerts that may come the next moment.
   */
  async editAside(
    message: ChannelMessage,
    { messageId, isLow }: { readonly messageId: string; readonly isLow: boolean },
  ): Promise<SendOutcome | undefined> {
    const { clock, channel, random } = this.#options;
    const nowMs = clock.now();
    const isFree =
      this.#queue.length === 0 &&
      this.#limits.slotsBy(nowMs) > (isLow ? SLOTS_LEFT_BY_LOW : 1) &&
      this.#limits.chatFreeMs(message.chatId, nowMs) <= nowMs;
    const mustWait = isLow && (this.#inFlight.size > 0 || this.#turns.nextMs() <= nowMs);
    if (this.#mustPause() || !isFree || mustWait) return undefined;
    const send = this.#limits.begin(nowMs);
    // Editing twice does no harm, so no alert has to wait for the outcome to be recorded.
    send.isWritten = true;
    const outcome = await channel.edit(message, messageId, () => this.#isHeld()).catch(brokenOutcome);
    send.answeredMs = clock.now();
    if (outcome.type === "flood") {
      const untilMs = clock.now() + floodDelayMs(outcome.retryAfterMs, random);
      this.#limits.flooded(message.chatId, clock.now(), untilMs);
    }
    if (outcome.type === "refused-us" && !this.#limits.isRefused) {
      this.#limits.changeSender({ refusedSinceMs: clock.now() });
      this.#nextProbeMs = clock.now() + PROBE_MS;
    }
    return outcome;
  }

  /** When to call pump next, unless onChange is called before. */
  nextMs(): number {
    if (this.#limits.isRefused) return this.#nextProbeMs;
    const { clock, lookAheadMs } = this.#options;
    const slotMs = this.#limits.slotFreeMs(this.#queue.length + 1, clock.now() + lookAheadMs);
    if (slotMs === undefined || this.#queue.length >= ENOUGH_QUEUED) return Number.POSITIVE_INFINITY;
    return Math.max(this.#turns.nextMs(), slotMs - lookAheadMs, this.#limits.sender.pausedUntilMs ?? 0);
  }

  /** Resolves when the outcomes of all sent messages are recorded. */
  async allWritten(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  /** Starts no more sends, releases the leases of queued alerts and waits for the rest. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelTimer();
    try {
      await withTimeout(ANSWER_MS, this.#giveBack()(this.#options.sql));
    } finally {
      await this.allWritten();
    }
  }

  #isHeld(): boolean {
    return this.#options.isHeld?.() ?? true;
  }

  #mustPause(): boolean {
    return this.#isClosing || !this.#isHeld() || this.#limits.isPaused(this.#options.clock.now());
  }

  async #probe(): Promise<void> {
    const { sql, clock, channel, logger } = this.#options;
    if (clock.now() < this.#nextProbeMs) return;
    this.#nextProbeMs = clock.now() + PROBE_MS;
    if ((await channel.probe()) !== "known") return;
    logger.info({}, "Telegram accepts the bot's token again");
    this.#limits.changeSender({ refusedSinceMs: null });
    await withTimeout(ANSWER_MS, saveSender(sql, this.#limits.sender));
  }

  /** Saves the send times before sending, so that a successor keeps within the limits. */
  async #announce(messages: readonly OutgoingMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const { sql, clock, lookAheadMs } = this.#options;
    const lastSentMs = clock.now() + lookAheadMs;
    this.#limits.changeSender({ lastSentMs });
    const paces = messages.map(({ chatId, alerts }) =>
      afterSend(this.#limits.paceOf(chatId), lastSentMs, alerts[0].chatKind),
    );
    await Promise.all([savePaces(sql, paces), saveSender(sql, this.#limits.sender)]);
  }

  #sendQueued(): void {
    this.#cancelTimer();
    if (this.#mustPause()) return;
    const { clock, onChange } = this.#options;
    const nowMs = clock.now();
    while (
      this.#limits.slotsBy(nowMs) > 0 &&
      this.#queue.length > 0 &&
      this.#limits.beginMs(nowMs) <= nowMs
    ) {
      const message = this.#queue.shift();
      if (message === undefined) break;
      const sending = this.#deliver(message).finally(() => this.#inFlight.delete(sending));
      this.#inFlight.add(sending);
    }
    if (this.#queue.length === 0) this.#limits.nothingWaits(nowMs);
    if (this.#queue.length < ENOUGH_QUEUED) onChange();
    const slotMs = this.#limits.slotFreeMs(1, nowMs);
    if (this.#queue.length > 0 && slotMs !== undefined) {
      const nextMs = Math.max(slotMs, this.#limits.beginMs(nowMs));
      this.#cancelTimer = clock.after(nextMs - nowMs, () => this.#sendQueued());
    }
  }

  /** `mustProbe`: an answered question comes first, so that a server that does not answer gets no copies. */
  async #send(
    message: ChannelMessage,
    { chatKind, mustProbe }: { readonly chatKind: string | null; readonly mustProbe: boolean },
  ) {
    const { clock, channel } = this.#options;
    const send = this.#limits.begin(clock.now());
    const isAway = mustProbe && (await channel.probe()) === "unknown";
    const outcome = isAway ? AWAY : await channel.send(message, () => this.#isHeld()).catch(brokenOutcome);
    const nowMs = clock.now();
    send.answeredMs = nowMs;
    this.#limits.sentTo(message.chatId, nowMs, chatKind);
    return { send, outcome, nowMs };
  }

  async #deliver(message: OutgoingMessage): Promise<void> {
    const mustProbe = this.#limits.isAway || message.alerts.some(({ unanswered }) => unanswered > 0);
    const how = { chatKind: message.alerts[0].chatKind, mustProbe };
    const whole = messageOf(message, this.#options.clock.now());
    const isTooMuch = wasFloodedAgain(this.#limits.paceOf(message.chatId)) && whole.form === "whole";
    const { send, outcome, nowMs } = await this.#send(
      isTooMuch ? { ...whole, form: "no-picture" } : whole,
      how,
    );
    logOutcome(this.#options.logger, message, outcome);
    this.#options.onSend?.(message, outcome, nowMs);
    // Without the lock this answer may be outdated and the chat open again. The current sender will find out itself.
    if (outcome.type !== "closed" || this.#isHeld()) await this.#record(message, outcome, nowMs);
    send.isWritten = true;
    this.#turns.free(message.chatId, nowMs);
    if (outcome.type === "moved") await this.scan(false).catch(() => {});
    this.#sendQueued();
    this.#options.onChange();
  }

  async #record(message: OutgoingMessage, outcome: SendOutcome, nowMs: number): Promise<void> {
    const { sql, clock, logger, leaseMs, random } = this.#options;
    const limits = this.#limits;
    const { sender } = limits;
    const writes = [recordOutcome(message, outcome, { limits, leaseBy: this.#leaseBy, nowMs, random })];
    if (this.#isHeld()) {
      writes.push(...this.#outage.note(outcome, nowMs));
      // Queued messages would outlive their leases.
      if (this.#outage.isAway && !limits.isAway) writes.push(this.#giveBack());
      limits.isAway = this.#outage.isAway;
    }
    if (limits.sender !== sender) {
      logPause(logger, outcome, (limits.sender.pausedUntilMs ?? nowMs) - nowMs);
      this.#nextProbeMs = nowMs + PROBE_MS;
      writes.push((db) => saveSender(db, limits.sender), this.#giveBack());
    }
    await writeUntilDone(writes, {
      ...{ sql, clock },
      untilMs: () => nowMs + (this.#isClosing ? CLOSING_MS : leaseMs),
      onFailure: (error) =>
        logger.warn({ err: error, alert: message.alerts[0].id }, "could not record an outcome, will retry"),
    });
  }

  /** Empties the queue and returns the write that releases the leases. */
  #giveBack(): Write {
    const messages = this.#queue.splice(0);
    for (const { chatId } of messages) this.#turns.free(chatId, this.#options.clock.now());
    const ids = messages.flatMap(({ alerts }) => alerts.map(({ id }) => id));
    const release = { ids, leaseBy: this.#leaseBy, error: null, isTry: false };
    return async (sql) => {
      if (ids.length > 0) await releaseAlerts(sql, release);
    };
  }
}

const AWAY: SendOutcome = { type: "unknown", error: "Telegram does not answer", isUnsent: true };

function brokenOutcome(error: unknown): SendOutcome {
  return { type: "failed", scope: "alert", error: error instanceof Error ? error.name : "unknown" };
}
