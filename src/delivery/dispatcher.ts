import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import type { Channel, ChannelMessage, SendOutcome } from "#core/ports/channel.ts";
import { followMovedChats } from "#store/chats/chats.ts";
import { within } from "#store/connection/within.ts";
import { findOpenLanes } from "#store/outbox/outbox.ts";
import { readPaces, readSender, type SenderState, savePaces, saveSender } from "#store/outbox/outbox-pace.ts";
import { releaseAlerts } from "#store/outbox/outbox-settle.ts";
import { cautionAt, moreCautious, NO_CAUTION } from "./caution.ts";
import { claimAlerts, messageOf, type OutgoingMessage } from "./claim-alerts.ts";
import type { Clock } from "./clock.ts";
import type { DeliveryCounts } from "./delivery-counts.ts";
import type { DeliveryLogger } from "./delivery-logger.ts";
import { Flights } from "./flights.ts";
import { FloodWatch } from "./flood-watch.ts";
import { Lanes } from "./lanes.ts";
import { Paces } from "./paces.ts";
import { settleOutcome, type Write } from "./settle-outcome.ts";
import { Slots } from "./slots.ts";

export interface DispatcherOptions {
  readonly sql: Sql;
  readonly channel: Channel;
  readonly clock: Clock;
  readonly logger: DeliveryLogger;
  readonly counts: DeliveryCounts;
  readonly random: () => number;
  /** Longer than any send can last. */
  readonly leaseMs: number;
  /** Alerts are leased this long before their place is free, so that no place stays empty. */
  readonly lookAheadMs: number;
  /** Called when there may be more to do. */
  readonly onChange: () => void;
}

const PROBE_MS = 60_000;
const SETTLE_RETRY_MS = 500;
const ANSWER_MS = 10_000;
/** A process that is asked to end waits no longer for a database that is gone. */
const CLOSING_MS = 5_000;
/** As long as so many wait for their place no more are leased, so that a few claims a second serve a full load. */
const ENOUGH_QUEUED = 4;

/**
 * Sends what is open, by turns and within the limits: lease, send, settle. There is one at work at a time, over all
 * machines; what it knows by heart is what the database would tell its successor.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #leaseBy = randomUUID();
  readonly #paces = new Paces();
  readonly #slots = new Slots((ms) => cautionAt(this.#sender, ms));
  readonly #flights = new Flights();
  readonly #lanes: Lanes;
  readonly #floods = new FloodWatch();
  readonly #channels = new Set<string>();
  readonly #inFlight = new Set<Promise<void>>();
  /** Leased, and waiting for their place. */
  #queue: OutgoingMessage[] = [];
  #callOff: () => void = () => {};
  #sender: SenderState = { pausedUntilMs: null, refusedSinceMs: null, lastSentMs: null, ...NO_CAUTION };
  #nextProbeMs = 0;
  #isClosing = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#lanes = new Lanes((chatId) =>
      this.#paces.freeAtMs(chatId, { isChannel: this.#channels.has(chatId), nowMs: options.clock.now() }),
    );
  }

  /** Takes over what the one before has learned. */
  async open(): Promise<void> {
    const { sql, clock } = this.#options;
    this.#paces.load(await within(ANSWER_MS, readPaces(sql, clock.now())));
    this.#sender = await within(ANSWER_MS, readSender(sql));
    if (this.#sender.lastSentMs !== null) this.#slots.takeAllUntil(this.#sender.lastSentMs);
  }

  get isRefused(): boolean {
    return this.#sender.refusedSinceMs !== null;
  }

  /** Looks what is open; `isAnew` also at what was put off. */
  async scan(isAnew: boolean): Promise<void> {
    const { sql, clock } = this.#options;
    await within(ANSWER_MS, followMovedChats(sql));
    this.#lanes.note(await within(ANSWER_MS, findOpenLanes(sql)), { nowMs: clock.now(), isAnew });
    if (isAnew) this.#paces.forgetBefore(clock.now());
  }

  /** Begins to send whatever may be sent now. */
  async pump(): Promise<void> {
    if (this.isRefused) await this.#probe();
    if (this.#mustBeSilent()) return;
    const { sql, clock, leaseMs, lookAheadMs } = this.#options;
    const nowMs = clock.now();
    if (this.#queue.length >= ENOUGH_QUEUED) return;
    const room = this.#slots.freeBy(nowMs + lookAheadMs) - this.#queue.length;
    const chats = room > 0 ? this.#lanes.take(nowMs, room) : [];
    if (chats.length === 0) return;
    try {
      const claiming = claimAlerts(chats, { sql, nowMs, leaseBy: this.#leaseBy, leaseMs });
      const claim = await within(ANSWER_MS, claiming);
      for (const { chatId, nextMs } of claim.waiting) this.#lanes.free(chatId, nextMs);
      for (const lane of claim.closed) this.#lanes.close(lane);
      await within(ANSWER_MS, this.#remember(claim.messages));
      this.#queue.push(...claim.messages);
    } catch (error) {
      // Whatever was leased falls due again when its lease ends.
      for (const [lane] of chats) if (lane) this.#lanes.free(lane.chatId, nowMs + SETTLE_RETRY_MS);
      throw error;
    }
    if (this.#mustBeSilent()) await within(ANSWER_MS, this.#giveBack()(sql));
    else this.#launch();
  }

  /** Sends what is not in the outbox, within the same limits; undefined where they leave no room now. */
  async sendAside(message: ChannelMessage): Promise<SendOutcome | undefined> {
    const { clock, channel, counts } = this.#options;
    const nowMs = clock.now();
    const isFree =
      this.#slots.freeBy(nowMs) > 0 &&
      this.#paces.freeAtMs(message.chatId, { isChannel: false, nowMs }) <= nowMs;
    if (this.#mustBeSilent() || !isFree) return undefined;
    this.#slots.take();
    const outcome = await channel.send(message).catch(brokenOutcome);
    this.#slots.release(clock.now());
    this.#paces.set(this.#paces.after(message.chatId, clock.now()));
    counts.note(outcome);
    return outcome;
  }

  /** When there will be something to do, if nothing happens before. */
  nextMs(): number | undefined {
    if (this.isRefused) return this.#nextProbeMs;
    const laneMs = this.#lanes.nextMs();
    if (laneMs === undefined || this.#queue.length >= ENOUGH_QUEUED) return undefined;
    const { clock, lookAheadMs } = this.#options;
    const slotMs = this.#slots.freeMs(this.#queue.length + 1, clock.now() + lookAheadMs);
    if (slotMs === undefined) return undefined;
    return Math.max(laneMs, slotMs - lookAheadMs, this.#sender.pausedUntilMs ?? 0);
  }

  /** Settles when every message that is out has its outcome written down. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  /** Begins nothing more, gives back what was not begun, and waits for the rest. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#callOff();
    try {
      await within(ANSWER_MS, this.#giveBack()(this.#options.sql));
    } finally {
      await this.settled();
    }
  }

  #mustBeSilent(): boolean {
    const nowMs = this.#options.clock.now();
    return this.#isClosing || this.isRefused || (this.#sender.pausedUntilMs ?? 0) > nowMs;
  }

  async #probe(): Promise<void> {
    const { clock, channel, logger } = this.#options;
    if (clock.now() < this.#nextProbeMs) return;
    this.#nextProbeMs = clock.now() + PROBE_MS;
    if ((await channel.probe()) !== "known") return;
    logger.info({}, "Telegram accepts the bot's token again");
    await this.#saveSender({ refusedSinceMs: null });
  }

  /** Before anything goes out, so that a successor does not write too soon. */
  async #remember(messages: readonly OutgoingMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const { sql, clock, lookAheadMs } = this.#options;
    const latestMs = clock.now() + lookAheadMs;
    for (const { chatId, alerts } of messages) {
      if (alerts[0].chatKind === "channel") this.#channels.add(chatId);
    }
    await Promise.all([
      savePaces(
        sql,
        messages.map(({ chatId }) => this.#paces.after(chatId, latestMs)),
      ),
      this.#saveSender({ lastSentMs: latestMs }),
    ]);
  }

  #launch(): void {
    this.#callOff();
    if (this.#mustBeSilent()) return;
    const { clock } = this.#options;
    const nowMs = clock.now();
    while (this.#queue.length > 0 && this.#slots.freeBy(nowMs) > 0 && this.#flights.nextMs(nowMs) <= nowMs) {
      const message = this.#queue.shift();
      if (message === undefined) break;
      this.#slots.take();
      const sending = this.#deliver(message).finally(() => this.#inFlight.delete(sending));
      this.#inFlight.add(sending);
    }
    if (this.#queue.length === 0) this.#flights.rest(nowMs);
    if (this.#queue.length < ENOUGH_QUEUED) this.#options.onChange();
    const freeMs = this.#slots.freeMs(1, nowMs);
    if (this.#queue.length > 0 && freeMs !== undefined) {
      const nextMs = Math.max(freeMs, this.#flights.nextMs(nowMs));
      this.#callOff = clock.after(nextMs - nowMs, () => this.#launch());
    }
  }

  async #deliver(message: OutgoingMessage): Promise<void> {
    const { clock, channel } = this.#options;
    const flight = this.#flights.begin(clock.now());
    const outcome = await channel.send(messageOf(message)).catch(brokenOutcome);
    const nowMs = clock.now();
    this.#slots.release(nowMs);
    this.#paces.set(this.#paces.after(message.chatId, nowMs));
    this.#count(message, outcome);
    await this.#settle(message, outcome, nowMs);
    this.#flights.end(flight);
    this.#lanes.free(message.chatId, nowMs);
    if (outcome.type === "moved") await this.scan(false).catch(() => {});
    this.#launch();
    this.#options.onChange();
  }

  /**
   * Tries until the database has it: what was sent and not written down would be sent again. What an answer changes in
   * memory is changed before, for an outage of the database must not count it again with every try.
   */
  async #settle(message: OutgoingMessage, outcome: SendOutcome, nowMs: number): Promise<void> {
    const { sql, clock, logger, leaseMs, random } = this.#options;
    const context = { paces: this.#paces, leaseBy: this.#leaseBy, nowMs, random };
    const writes = [settleOutcome(message, outcome, context), this.#fallSilent(message, outcome, nowMs)];
    const writeAll = async () => {
      for (const write of writes) await write(sql);
    };
    for (;;) {
      try {
        await within(ANSWER_MS, writeAll());
        return;
      } catch (error) {
        logger.warn({ err: error, alert: message.alerts[0].id }, "an outcome could not be written down");
        if (clock.now() > nowMs + (this.#isClosing ? CLOSING_MS : leaseMs)) return;
        await new Promise<void>((resolve) => clock.after(SETTLE_RETRY_MS, resolve));
      }
    }
  }

  /** Where the answer concerns everyone, nothing more is sent for now. */
  #fallSilent({ chatId }: OutgoingMessage, outcome: SendOutcome, nowMs: number): Write {
    const { logger } = this.#options;
    if (outcome.type === "flood") {
      // Two chats told to wait at once: it is not the chats, it is us.
      const pauseMs = this.#floods.note(chatId, nowMs, this.#paces.of(chatId).pausedUntilMs ?? nowMs);
      if (pauseMs === undefined) return async () => {};
      logger.warn({ seconds: Math.ceil((pauseMs - nowMs) / 1000) }, "Telegram wants silence");
      const pausedUntilMs = Math.max(this.#sender.pausedUntilMs ?? 0, pauseMs);
      this.#sender = { ...this.#sender, pausedUntilMs, ...moreCautious(this.#sender, nowMs) };
    } else if (outcome.type === "refused-us") {
      if (!this.isRefused) {
        const { error } = outcome;
        logger.error({ error }, "Telegram does not accept the bot's token; every alert waits");
        this.#nextProbeMs = nowMs + PROBE_MS;
        this.#sender = { ...this.#sender, refusedSinceMs: nowMs };
      }
    } else return async () => {};
    const giveBack = this.#giveBack();
    return async (sql) => {
      await saveSender(sql, this.#sender);
      await giveBack(sql);
    };
  }

  /** Takes everything out of the queue; the write gives up the leases. */
  #giveBack(): Write {
    const messages = this.#queue.splice(0);
    for (const { chatId } of messages) this.#lanes.free(chatId, this.#options.clock.now());
    const ids = messages.flatMap(({ alerts }) => alerts.map(({ id }) => id));
    const release = { ids, leaseBy: this.#leaseBy, error: null, isTry: false };
    return async (sql) => {
      if (ids.length > 0) await releaseAlerts(sql, release);
    };
  }

  async #saveSender(change: Partial<SenderState>): Promise<void> {
    this.#sender = { ...this.#sender, ...change };
    await within(ANSWER_MS, saveSender(this.#options.sql, this.#sender));
  }

  #count({ alerts }: OutgoingMessage, outcome: SendOutcome): void {
    const { counts, logger } = this.#options;
    counts.note(outcome);
    if (outcome.type === "sent") return;
    const isBug = outcome.type === "hopeless" || (outcome.type === "failed" && outcome.scope === "alert");
    const facts = { alert: alerts[0].id, outcome: outcome.type, error: outcome.error };
    if (isBug) logger.error(facts, "an alert could not be sent");
    else logger.warn(facts, "an alert was not sent");
  }
}

function brokenOutcome(error: unknown): SendOutcome {
  return { type: "failed", scope: "alert", error: error instanceof Error ? error.name : "unknown" };
}
