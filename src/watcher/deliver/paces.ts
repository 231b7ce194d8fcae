import type { ChatPace } from "#store/outbox-pace.ts";

const INTERVAL_MS = 1000;
/** How many a chat that was quiet takes at once: "short bursts" says Telegram, and five were seen to pass. */
const BURST = 4;
const GROUP_LIMIT = 20;
const GROUP_WINDOW_MS = 60_000;

/** How fast each chat may be written to; a copy of what the database holds, kept by the one who sends. */
export class Paces {
  readonly #paces = new Map<string, ChatPace>();

  load(paces: readonly ChatPace[]): void {
    for (const pace of paces) this.#paces.set(pace.chatId, pace);
  }

  of(chatId: string): ChatPace {
    return (
      this.#paces.get(chatId) ?? {
        chatId,
        wholeAtMs: 0,
        recentMs: [],
        pausedUntilMs: null,
        failingSinceMs: null,
        failures: 0,
      }
    );
  }

  /** From when on the chat takes a message. Groups count by the minute too; a chat of unknown kind may be one. */
  freeAtMs(chatId: string, isChannel: boolean): number {
    const { wholeAtMs, recentMs, pausedUntilMs } = this.of(chatId);
    const isGroup = chatId.startsWith("-") && !isChannel;
    const twentieth = isGroup ? recentMs[GROUP_LIMIT - 1] : undefined;
    return Math.max(
      pausedUntilMs ?? 0,
      wholeAtMs - (BURST - 1) * INTERVAL_MS,
      twentieth === undefined ? 0 : twentieth + GROUP_WINDOW_MS,
    );
  }

  /** The pace as it is once a message went out at that moment. */
  after(chatId: string, sentMs: number): ChatPace {
    const pace = this.of(chatId);
    return {
      ...pace,
      wholeAtMs: Math.max(pace.wholeAtMs, sentMs) + INTERVAL_MS,
      recentMs: [sentMs, ...pace.recentMs].slice(0, GROUP_LIMIT),
    };
  }

  set(pace: ChatPace): ChatPace {
    this.#paces.set(pace.chatId, pace);
    return pace;
  }

  pause(chatId: string, untilMs: number): ChatPace {
    const pace = this.of(chatId);
    return this.set({ ...pace, pausedUntilMs: Math.max(pace.pausedUntilMs ?? 0, untilMs) });
  }

  fail(chatId: string, nowMs: number, delayMs: (failures: number) => number): ChatPace {
    const pace = this.of(chatId);
    const failures = pace.failures + 1;
    return this.set({
      ...pace,
      failures,
      failingSinceMs: pace.failingSinceMs ?? nowMs,
      pausedUntilMs: nowMs + delayMs(failures),
    });
  }

  /** True where there was something to recover from. */
  recover(chatId: string): boolean {
    const pace = this.of(chatId);
    if (pace.failures === 0 && pace.pausedUntilMs === null && pace.failingSinceMs === null) return false;
    this.set({ ...pace, failures: 0, failingSinceMs: null, pausedUntilMs: null });
    return true;
  }

  /** Drops what no longer holds anything back. */
  forgetBefore(nowMs: number): void {
    for (const [chatId, pace] of this.#paces) {
      const isOver = pace.wholeAtMs < nowMs - GROUP_WINDOW_MS && (pace.pausedUntilMs ?? 0) < nowMs;
      if (isOver && pace.failingSinceMs === null) this.#paces.delete(chatId);
    }
  }
}
