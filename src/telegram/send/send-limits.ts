import { afterSend, freeAtMs, GROUP_WINDOW, slowdownAt, slowedDown } from "./chat-pace.ts";
import type { ChatPace, SenderState } from "./rows/send-state.ts";

/** Telegram allows thirty messages a second over all chats. 10 ms more for differing clocks. */
const PER_WINDOW = 30;
/** While Telegram does not answer: enough to notice its return. */
const PER_WINDOW_AWAY = 1;
const WINDOW_MS = 1010;
/** Slots left unused per step of slowdown, after Telegram has rate-limited the whole bot. */
const UNUSED_PER_STEP = 3;
/** If two chats are rate-limited within this time, the limit concerns the whole bot. */
const AT_ONCE_MS = 1000;
/** Two chats that are rate-limited later: the limit may concern the whole bot. The pause doubles with each further chat. */
const SECOND_CHAT_PAUSE_MS = 10_000;

/** A chat that was not tried for so long after its last pause: what failed then says nothing about now. */
const STALE_FAILURE_MS = 3_600_000;
/** Of the time since a chat's first 429. */
const FLOODED_PART = 4;
const LONGEST_OWN_WAIT_MS = 3_600_000;

const MOST_UNWRITTEN = 30;
/** A message without an answer after this time no longer counts as unrecorded. */
const LATE_MS = 1000;
/** After waiting this long, one more message may be unrecorded; with nothing waiting for this long, one less. */
const WIDEN_AFTER_MS = 1000;
const NARROW_AFTER_MS = 10_000;

/**
 * Telegram counts a message at some time between the request and the answer. So a send takes its slot from the request
 * until a second after the answer, and the limit holds however long either side stalls.
 */
export interface Send {
  readonly beganMs: number;
  answeredMs?: number;
  /** Whether its outcome is in the database. */
  isWritten?: boolean;
}

const NO_SLOWDOWN = { pausedUntilMs: null, slowdown: 0, floodedAtMs: null };
const NO_FAILURES = { failures: 0, failingSinceMs: null, pausedUntilMs: null };

/** The rate limits of the bot and of each chat. The sending process keeps them in memory and in the database. */
export class SendLimits {
  readonly #paces = new Map<string, ChatPace>();
  #sender: SenderState = { ...NO_SLOWDOWN, refusedSinceMs: null, lastSentMs: null };
  #sends: Send[] = [];
  #lastFlood: { chatId: string; atMs: number; untilMs: number } | undefined;
  /** When the last message was accepted. */
  #acceptedMs = Number.NEGATIVE_INFINITY;
  /** The alerts that Telegram's server failed on since then. */
  readonly #failedOn = new Set<string>();
  /** The chats that Telegram rate-limited, and until when. */
  readonly #floods = new Map<string, number>();
  /**
   * Messages that are unrecorded when the process dies may be sent twice. So only one at a time, and more only while
   * slow answers keep alerts waiting.
   */
  #unwritten = { most: 1, sinceMs: 0 };
  #waitingSinceMs: number | undefined;

  /** Whether Telegram's last answer was a failure of its server, or none. */
  isAway = false;

  /** Takes over the state of the previous sender. Its last sends are not stored, so all slots count as taken. */
  load(paces: readonly ChatPace[], sender: SenderState | undefined): void {
    for (const pace of paces) {
      this.#set(pace);
      const isFlooded = pace.failures === 0 && pace.floodedAtMs !== null;
      if (isFlooded && pace.pausedUntilMs !== null) this.#floods.set(pace.chatId, pace.pausedUntilMs);
    }
    this.changeSender(sender ?? {});
    const { lastSentMs } = this.#sender;
    if (lastSentMs === null) return;
    const former = { beganMs: lastSentMs, answeredMs: lastSentMs, isWritten: true };
    this.#sends = Array.from({ length: PER_WINDOW }, () => former);
  }

  /** A new object after every change. */
  get sender(): SenderState {
    return this.#sender;
  }

  changeSender(change: Partial<SenderState>): void {
    this.#sender = { ...this.#sender, ...change };
  }

  get isRefused(): boolean {
    return this.#sender.refusedSinceMs !== null;
  }

  isPaused(nowMs: number): boolean {
    return this.isRefused || (this.#sender.pausedUntilMs ?? 0) > nowMs;
  }

  /** The number of slots known to be free at that time. */
  slotsBy(ms: number): number {
    const taken = this.#sends.filter((send) => isTakenAt(send, ms)).length;
    if (this.isAway) return PER_WINDOW_AWAY - taken;
    return PER_WINDOW - UNUSED_PER_STEP * slowdownAt(this.#sender, ms) - taken;
  }

  /** When this many slots are free; undefined if that depends on missing answers. */
  slotFreeMs(count: number, nowMs: number): number | undefined {
    const moments = this.#sends.map(freeMsOf).filter((at) => at > nowMs && Number.isFinite(at));
    return [nowMs, ...moments.toSorted((one, other) => one - other)].find((at) => this.slotsBy(at) >= count);
  }

  /** When a waiting message may be sent, given the limit of unrecorded messages. */
  beginMs(nowMs: number): number {
    const lateMs = this.#sends
      .filter(({ isWritten, beganMs }) => !isWritten && beganMs + LATE_MS > nowMs)
      .map(({ beganMs }) => beganMs + LATE_MS);
    const { most } = this.#unwritten;
    if (lateMs.length < most) return nowMs;
    this.#waitingSinceMs ??= nowMs;
    if (nowMs - this.#waitingSinceMs >= WIDEN_AFTER_MS && most < MOST_UNWRITTEN) {
      this.#unwritten = { most: most + 1, sinceMs: nowMs };
      this.#waitingSinceMs = nowMs;
      return nowMs;
    }
    return lateMs[lateMs.length - most] ?? nowMs;
  }

  nothingWaits(nowMs: number): void {
    this.#waitingSinceMs = undefined;
    const { most, sinceMs } = this.#unwritten;
    const isWide = most > 1 && nowMs - sinceMs >= NARROW_AFTER_MS;
    if (isWide) this.#unwritten = { most: most - 1, sinceMs: nowMs };
  }

  begin(nowMs: number): Send {
    const send: Send = { beganMs: nowMs };
    this.#sends = [...this.#sends.filter((one) => !one.isWritten || freeMsOf(one) > nowMs), send];
    return send;
  }

  paceOf(chatId: string): ChatPace {
    return this.#paces.get(chatId) ?? { chatId, recentMs: [], ...NO_SLOWDOWN, ...NO_FAILURES };
  }

  chatFreeMs(chatId: string, nowMs: number): number {
    return freeAtMs(this.paceOf(chatId), nowMs);
  }

  sentTo(chatId: string, nowMs: number, chatKind: string | null): void {
    this.#set(afterSend(this.paceOf(chatId), nowMs, chatKind));
  }

  /**
   * Telegram rate-limited a chat. If another chat was just rate-limited too, the whole bot pauses. While another chat's pause is in
   * force, the whole bot pauses shortly and slows down; it recovers step by step. A chat that has been failing since before a message
   * was accepted elsewhere has a limit of its own, which says nothing about the bot.
   */
  flooded(chatId: string, nowMs: number, untilMs: number): ChatPace {
    const former = this.paceOf(chatId);
    // One that is told to wait a second for hours is not asked every second: each wait is at least a part of all waits so far.
    const failedMs = nowMs - (former.failingSinceMs ?? nowMs);
    const leastMs = Math.min(failedMs / FLOODED_PART, LONGEST_OWN_WAIT_MS);
    const chatUntilMs = Math.max(former.pausedUntilMs ?? 0, untilMs, nowMs + leastMs);
    const isOwn = former.failingSinceMs !== null && former.failingSinceMs < this.#acceptedMs;
    if (!isOwn) this.#floodedAnew(chatId, nowMs, chatUntilMs);
    const failingSinceMs = former.failingSinceMs ?? nowMs;
    return this.#set({ ...former, ...slowedDown(former, nowMs), pausedUntilMs: chatUntilMs, failingSinceMs });
  }

  #floodedAnew(chatId: string, nowMs: number, chatUntilMs: number): void {
    const last = this.#lastFlood;
    this.#lastFlood = { chatId, atMs: nowMs, untilMs: chatUntilMs };
    if (last !== undefined && last.chatId !== chatId && nowMs - last.atMs <= AT_ONCE_MS) {
      this.#pauseUntil(Math.max(last.untilMs, chatUntilMs), nowMs);
    } else {
      const others = this.#othersFlooded(chatId, nowMs);
      const pauseMs = SECOND_CHAT_PAUSE_MS * 2 ** Math.min(others.length - 1, 10);
      if (others.length > 0) this.#pauseUntil(Math.min(nowMs + pauseMs, chatUntilMs, ...others), nowMs);
    }
    this.#floods.set(chatId, chatUntilMs);
  }

  /** Until when the pauses of other chats that are in force last. */
  #othersFlooded(chatId: string, nowMs: number): number[] {
    for (const [id, untilMs] of this.#floods) if (untilMs <= nowMs) this.#floods.delete(id);
    return [...this.#floods].flatMap(([id, untilMs]) => (id === chatId ? [] : [untilMs]));
  }

  #pauseUntil(ms: number, nowMs: number): void {
    const pausedUntilMs = Math.max(this.#sender.pausedUntilMs ?? 0, ms);
    this.changeSender({ pausedUntilMs, ...slowedDown(this.#sender, nowMs) });
  }

  failed(chatId: string, nowMs: number, delayMs: (failures: number) => number) {
    const pace = this.paceOf(chatId);
    const failures = pace.failures + 1;
    const failingSinceMs = pace.failingSinceMs ?? nowMs;
    return this.#set({ ...pace, failures, failingSinceMs, pausedUntilMs: nowMs + delayMs(failures) });
  }

  /** Telegram's server failed on an alert. Returns on how many since a message was accepted: several do not all fail by themselves. */
  serverFailed(alertId: string): number {
    return this.#failedOn.add(alertId).size;
  }

  /** A message to the chat was accepted. */
  accepted(chatId: string, nowMs: number): ChatPace | undefined {
    this.#acceptedMs = nowMs;
    this.#failedOn.clear();
    return this.recovered(chatId);
  }

  /** Resets the failures of a chat. Returns undefined if there were none. */
  recovered(chatId: string): ChatPace | undefined {
    const pace = this.paceOf(chatId);
    const wasFailing = pace.failures > 0 || pace.pausedUntilMs !== null || pace.failingSinceMs !== null;
    return wasFailing ? this.#set({ ...pace, ...NO_FAILURES }) : undefined;
  }

  /** Drops the state of chats that nothing limits any more, and failures after which a chat had nothing to be sent. */
  forgetOld(nowMs: number): void {
    for (const [chatId, pace] of this.#paces) {
      const lastMs = Math.max(pace.pausedUntilMs ?? 0, (pace.recentMs[0] ?? 0) + GROUP_WINDOW.lengthMs);
      if (lastMs < nowMs - STALE_FAILURE_MS) this.recovered(chatId);
      const isOver = lastMs < nowMs && pace.failingSinceMs === null && slowdownAt(pace, nowMs) === 0;
      if (isOver) this.#paces.delete(chatId);
    }
  }

  #set<Pace extends ChatPace>(pace: Pace): Pace {
    this.#paces.set(pace.chatId, pace);
    return pace;
  }
}

/** An answer that seems to come from the future is one before the clock was set back, and so is over. */
function isTakenAt(send: Send, ms: number): boolean {
  const freeMs = freeMsOf(send);
  return freeMs > ms && (freeMs <= ms + WINDOW_MS || freeMs === Number.POSITIVE_INFINITY);
}

function freeMsOf({ answeredMs }: Send): number {
  return answeredMs === undefined ? Number.POSITIVE_INFINITY : answeredMs + WINDOW_MS;
}
