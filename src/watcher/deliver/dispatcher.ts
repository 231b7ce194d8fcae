import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import type { AlertNews } from "#core/alert.ts";
import type { Channel, ChannelMessage, SendOutcome } from "#core/channel.ts";
import { followMovedChats } from "#store/chats.ts";
import { findOpenLanes } from "#store/outbox.ts";
import { readPaces, readSender, type SenderState, savePaces, saveSender } from "#store/outbox-pace.ts";
import { releaseAlerts } from "#store/outbox-settle.ts";
import { alertLanguageOf } from "./alert-language.ts";
import { claimAlerts, type Parcel } from "./claim-alerts.ts";
import type { Clock } from "./clock.ts";
import type { DeliveryCounts } from "./delivery-counts.ts";
import type { DeliveryLogger } from "./delivery-logger.ts";
import { Flights } from "./flights.ts";
import { FloodWatch } from "./flood-watch.ts";
import { Lanes } from "./lanes.ts";
import { Paces } from "./paces.ts";
import { settleOutcome } from "./settle-outcome.ts";
import { Slots } from "./slots.ts";
import { within } from "./within.ts";

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
  readonly #slots = new Slots();
  readonly #flights = new Flights();
  readonly #lanes: Lanes;
  readonly #floods = new FloodWatch();
  readonly #channels = new Set<string>();
  readonly #inFlight = new Set<Promise<void>>();
  /** Leased, and waiting for their place. */
  #queue: Parcel[] = [];
  #callOff: () => void = () => {};
  #sender: SenderState = { pausedUntilMs: null, refusedSinceMs: null, lastSentMs: null };
  #nextProbeMs = 0;
  #isClosing = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#lanes = new Lanes((chatId) => this.#paces.freeAtMs(chatId, this.#channels.has(chatId)));
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
      await within(ANSWER_MS, this.#remember(claim.parcels));
      this.#queue.push(...claim.parcels);
    } catch (error) {
      // Whatever was leased falls due again when its lease ends.
      for (const [lane] of chats) if (lane) this.#lanes.free(lane.chatId, nowMs + SETTLE_RETRY_MS);
      throw error;
    }
    if (this.#mustBeSilent()) await this.#giveBack();
    else this.#launch();
  }

  /** Sends what is not in the outbox, within the same limits; undefined where they leave no room now. */
  async sendAside(message: ChannelMessage): Promise<SendOutcome | undefined> {
    const { clock, channel, counts } = this.#options;
    const isFree = this.#slots.freeBy(clock.now()) > 0;
    if (this.#mustBeSilent() || !isFree || this.#paces.freeAtMs(message.chatId, false) > clock.now()) return;
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
    await this.#giveBack();
    await this.settled();
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
  async #remember(parcels: readonly Parcel[]): Promise<void> {
    if (parcels.length === 0) return;
    const { sql, clock, lookAheadMs } = this.#options;
    const latestMs = clock.now() + lookAheadMs;
    for (const { chatId, alerts } of parcels) {
      if (alerts[0].chatKind === "channel") this.#channels.add(chatId);
    }
    await Promise.all([
      savePaces(
        sql,
        parcels.map(({ chatId }) => this.#paces.after(chatId, latestMs)),
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
      const parcel = this.#queue.shift();
      if (parcel === undefined) break;
      this.#slots.take();
      const sending = this.#deliver(parcel).finally(() => this.#inFlight.delete(sending));
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

  async #deliver(parcel: Parcel): Promise<void> {
    const { clock, channel } = this.#options;
    const flight = this.#flights.begin(clock.now());
    const outcome = await channel.send(messageOf(parcel)).catch(brokenOutcome);
    const nowMs = clock.now();
    this.#slots.release(nowMs);
    this.#paces.set(this.#paces.after(parcel.chatId, nowMs));
    this.#count(parcel, outcome);
    await this.#settle(parcel, outcome, nowMs);
    this.#flights.end(flight);
    this.#lanes.free(parcel.chatId, nowMs);
    if (outcome.type === "moved") await this.scan(false).catch(() => {});
    this.#launch();
    this.#options.onChange();
  }

  /** Tries until the database has it: what was sent and not written down would be sent again. */
  async #settle(parcel: Parcel, outcome: SendOutcome, nowMs: number): Promise<void> {
    const { sql, clock, logger, leaseMs, random } = this.#options;
    const paces = this.#paces;
    for (;;) {
      try {
        const context = { sql, paces, leaseBy: this.#leaseBy, nowMs, random };
        await within(ANSWER_MS, settleOutcome(parcel, outcome, context));
        if (outcome.type === "flood") await this.#noteFlood(parcel, nowMs);
        if (outcome.type === "refused-us") await this.#refuse(outcome.error, nowMs);
        return;
      } catch (error) {
        logger.warn({ err: error, alert: parcel.alerts[0].id }, "an outcome could not be written down");
        if (clock.now() > nowMs + (this.#isClosing ? CLOSING_MS : leaseMs)) return;
        await new Promise<void>((resolve) => clock.after(SETTLE_RETRY_MS, resolve));
      }
    }
  }

  /** Two chats told to wait at once: it is not the chats, it is us. */
  async #noteFlood({ chatId }: Parcel, nowMs: number): Promise<void> {
    const untilMs = this.#paces.of(chatId).pausedUntilMs ?? nowMs;
    const pauseMs = this.#floods.note(chatId, nowMs, untilMs);
    if (pauseMs === undefined) return;
    this.#options.logger.warn({ seconds: Math.ceil((pauseMs - nowMs) / 1000) }, "Telegram wants silence");
    await this.#saveSender({ pausedUntilMs: Math.max(this.#sender.pausedUntilMs ?? 0, pauseMs) });
    await this.#giveBack();
  }

  async #refuse(error: string, nowMs: number): Promise<void> {
    if (!this.isRefused) {
      this.#options.logger.error({ error }, "Telegram does not accept the bot's token; every alert waits");
      this.#nextProbeMs = nowMs + PROBE_MS;
      await this.#saveSender({ refusedSinceMs: nowMs });
    }
    await this.#giveBack();
  }

  async #giveBack(): Promise<void> {
    const parcels = this.#queue.splice(0);
    if (parcels.length === 0) return;
    const ids = parcels.flatMap(({ alerts }) => alerts.map(({ id }) => id));
    const release = { ids, leaseBy: this.#leaseBy, error: null, isTry: false };
    await within(ANSWER_MS, releaseAlerts(this.#options.sql, release));
    for (const { chatId } of parcels) this.#lanes.free(chatId, this.#options.clock.now());
  }

  async #saveSender(change: Partial<SenderState>): Promise<void> {
    this.#sender = { ...this.#sender, ...change };
    await within(ANSWER_MS, saveSender(this.#options.sql, this.#sender));
  }

  #count({ alerts }: Parcel, outcome: SendOutcome): void {
    const { counts, logger } = this.#options;
    counts.note(outcome);
    if (outcome.type === "sent") return;
    const isBug = outcome.type === "hopeless" || (outcome.type === "failed" && outcome.scope === "alert");
    const facts = { alert: alerts[0].id, outcome: outcome.type, error: outcome.error };
    if (isBug) logger.error(facts, "an alert could not be sent");
    else logger.warn(facts, "an alert was not sent");
  }
}

function messageOf({ chatId, alerts }: Parcel): ChannelMessage {
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

function brokenOutcome(error: unknown): SendOutcome {
  return { type: "failed", scope: "alert", error: error instanceof Error ? error.name : "unknown" };
}
