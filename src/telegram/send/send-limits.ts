import type { ChatPace, SenderState } from "#store/outbox/send-state.ts";
import { afterSend, freeAtMs, GROUP_WINDOW, slowdownAt, slowedDown } from "./chat-pace.ts";

/** Telegram's thirty messages a second over all chats, and a hair longer: no two clocks agree. */
const PER_WINDOW = 30;
const WINDOW_MS = 1010;
/** Places that stay empty for each step of slowdown, once Telegram has asked everyone for silence. */
const LEFT_EMPTY = 3;
/** Two chats told to wait within so long: it is not the chats, it is us. */
const AT_ONCE_MS = 1000;

const MOST_UNWRITTEN = 30;
/** A message whose answer takes longer is no longer waited for. */
const LATE_MS = 1000;
/** Waited in vain for so long, one more may be unwritten; with nothing waiting for so long, one less. */
const WIDEN_AFTER_MS = 1000;
const NARROW_AFTER_MS = 10_000;

/**
 * When Telegram counted a message nobody tells, only that it was between the sending and the answer; so its place is taken
 * from the one and for a second after the other, and the limit holds however long either side stalls.
 */
export interface Send {
  readonly beganMs: number;
  answeredMs?: number;
  /** Its outcome is in the database. */
  isWritten?: boolean;
}

const NOTHING_LEARNED = { pausedUntilMs: null, slowdown: 0, floodedAtMs: null };
const UNTROUBLED = { failures: 0, failingSinceMs: null, pausedUntilMs: null };

/** Who may be written to now: a copy of what the database holds, kept by the one process that sends. */
export class SendLimits {
  readonly #paces = new Map<string, ChatPace>();
  #sender: SenderState = { ...NOTHING_LEARNED, refusedSinceMs: null, lastSentMs: null };
  #sends: Send[] = [];
  #lastFlood: { chatId: string; atMs: number; untilMs: number } | undefined;
  /**
   * What is unwritten when the process dies may be told twice, so it is one message at a time, as long as that serves;
   * where answers take their time and alerts have waited for them, more.
   */
  #unwritten = { most: 1, sinceMs: 0 };
  #waitingSinceMs: number | undefined;

  /** What the sender before this one has learned; how much it sent last nobody knows. */
  load(paces: readonly ChatPace[], sender: SenderState | undefined): void {
    for (const pace of paces) this.#set(pace);
    this.changeSender(sender ?? {});
    const { lastSentMs } = this.#sender;
    if (lastSentMs === null) return;
    const former = { beganMs: lastSentMs, answeredMs: lastSentMs, isWritten: true };
    this.#sends = Array.from({ length: PER_WINDOW }, () => former);
  }

  /** Another object whenever it has changed. */
  get sender(): SenderState {
    return this.#sender;
  }

  changeSender(change: Partial<SenderState>): void {
    this.#sender = { ...this.#sender, ...change };
  }

  get isRefused(): boolean {
    return this.#sender.refusedSinceMs !== null;
  }

  isSilent(nowMs: number): boolean {
    return this.isRefused || (this.#sender.pausedUntilMs ?? 0) > nowMs;
  }

  /** Places that are free by then, as far as is known. */
  placesBy(ms: number): number {
    const taken = this.#sends.filter((send) => placeFreeMs(send) > ms).length;
    return PER_WINDOW - LEFT_EMPTY * slowdownAt(this.#sender, ms) - taken;
  }

  /** When so many places are free; undefined while it depends on answers still out. */
  placesFreeMs(count: number, nowMs: number): number | undefined {
    const moments = this.#sends.map(placeFreeMs).filter((at) => at > nowMs && Number.isFinite(at));
    return [nowMs, ...moments.toSorted((one, other) => one - other)].find((at) => this.placesBy(at) >= count);
  }

  /** Asked for a message that could be sent; when it may be, for all that is not written down yet. */
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
    this.#sends = [...this.#sends.filter((one) => !one.isWritten || placeFreeMs(one) > nowMs), send];
    return send;
  }

  paceOf(chatId: string): ChatPace {
    return this.#paces.get(chatId) ?? { chatId, recentMs: [], ...NOTHING_LEARNED, ...UNTROUBLED };
  }

  chatFreeMs(chatId: string, nowMs: number): number {
    return freeAtMs(this.paceOf(chatId), nowMs);
  }

  sentTo(chatId: string, nowMs: number, chatKind: string | null): void {
    this.#set(afterSend(this.paceOf(chatId), nowMs, chatKind));
  }

  /** Telegram asked for silence in a chat; where it asks another one too, the whole bot falls silent. */
  flooded(chatId: string, nowMs: number, untilMs: number): ChatPace {
    const former = this.paceOf(chatId);
    const chatUntilMs = Math.max(former.pausedUntilMs ?? 0, untilMs);
    const last = this.#lastFlood;
    this.#lastFlood = { chatId, atMs: nowMs, untilMs: chatUntilMs };
    if (last !== undefined && last.chatId !== chatId && nowMs - last.atMs <= AT_ONCE_MS) {
      const pausedUntilMs = Math.max(this.#sender.pausedUntilMs ?? 0, last.untilMs, chatUntilMs);
      this.changeSender({ pausedUntilMs, ...slowedDown(this.#sender, nowMs) });
    }
    return this.#set({ ...former, ...slowedDown(former, nowMs), pausedUntilMs: chatUntilMs });
  }

  failed(chatId: string, nowMs: number, delayMs: (failures: number) => number) {
    const pace = this.paceOf(chatId);
    const failures = pace.failures + 1;
    const failingSinceMs = pace.failingSinceMs ?? nowMs;
    return this.#set({ ...pace, failures, failingSinceMs, pausedUntilMs: nowMs + delayMs(failures) });
  }

  /** The pace where there was something to recover from. */
  recovered(chatId: string): ChatPace | undefined {
    const pace = this.paceOf(chatId);
    const isTroubled = pace.failures > 0 || pace.pausedUntilMs !== null || pace.failingSinceMs !== null;
    return isTroubled ? this.#set({ ...pace, ...UNTROUBLED }) : undefined;
  }

  /** Drops what no longer holds anything back. */
  forgetOld(nowMs: number): void {
    for (const [chatId, pace] of this.#paces) {
      const lastMs = Math.max(pace.pausedUntilMs ?? 0, (pace.recentMs[0] ?? 0) + GROUP_WINDOW.lengthMs);
      const isOver = lastMs < nowMs && pace.failingSinceMs === null && slowdownAt(pace, nowMs) === 0;
      if (isOver) this.#paces.delete(chatId);
    }
  }

  #set<Pace extends ChatPace>(pace: Pace): Pace {
    this.#paces.set(pace.chatId, pace);
    return pace;
  }
}

function placeFreeMs({ answeredMs }: Send): number {
  return answeredMs === undefined ? Number.POSITIVE_INFINITY : answeredMs + WINDOW_MS;
}
