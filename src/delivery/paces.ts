import type { ChatPace } from "#store/outbox/outbox-pace.ts";
import { cautionAt, moreCautious, NO_CAUTION } from "./caution.ts";

/** So many messages in any time as long as this. */
interface Window {
  readonly limit: number;
  readonly lengthMs: number;
}

/**
 * "Avoid more than one message a second; short bursts pass", says Telegram, and servers were met that count five in any
 * five seconds. One less is sent, for the bot's own replies count too, and a hair later, for no two clocks agree.
 */
const CHAT_WINDOW: Window = { limit: 4, lengthMs: 5_100 };
/** Telegram's twenty a minute, with the same margin. */
const GROUP_WINDOW: Window = { limit: 18, lengthMs: 60_500 };

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
        ...NO_CAUTION,
      }
    );
  }

  /** From when on the chat takes a message. Groups count by the minute too; a chat of unknown kind may be one. */
  freeAtMs(chatId: string, { isChannel, nowMs }: { isChannel: boolean; nowMs: number }): number {
    const pace = this.of(chatId);
    const stretch = 1 + cautionAt(pace, nowMs) / 2;
    const isGroup = chatId.startsWith("-") && !isChannel;
    return Math.max(
      pace.pausedUntilMs ?? 0,
      roomAtMs(pace.recentMs, stretch > 1 ? spread(CHAT_WINDOW) : CHAT_WINDOW, stretch),
      isGroup ? roomAtMs(pace.recentMs, GROUP_WINDOW, stretch) : 0,
    );
  }

  /** The pace as it is once a message went out at that moment. */
  after(chatId: string, sentMs: number): ChatPace {
    const pace = this.of(chatId);
    return {
      ...pace,
      wholeAtMs: sentMs + CHAT_WINDOW.lengthMs,
      recentMs: [sentMs, ...pace.recentMs].slice(0, GROUP_WINDOW.limit),
    };
  }

  set(pace: ChatPace): ChatPace {
    this.#paces.set(pace.chatId, pace);
    return pace;
  }

  /** Telegram asked for silence until then: it is kept, and what follows goes out more slowly. */
  flood(chatId: string, nowMs: number, untilMs: number): ChatPace {
    const pace = this.of(chatId);
    const pausedUntilMs = Math.max(pace.pausedUntilMs ?? 0, untilMs);
    return this.set({ ...pace, ...moreCautious(pace, nowMs), pausedUntilMs });
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

  /** The pace where there was something to recover from. */
  recover(chatId: string): ChatPace | undefined {
    const pace = this.of(chatId);
    if (pace.failures === 0 && pace.pausedUntilMs === null && pace.failingSinceMs === null) return undefined;
    return this.set({ ...pace, failures: 0, failingSinceMs: null, pausedUntilMs: null });
  }

  /** Drops what no longer holds anything back. */
  forgetBefore(nowMs: number): void {
    for (const [chatId, pace] of this.#paces) {
      const isOver = pace.wholeAtMs < nowMs - GROUP_WINDOW.lengthMs && (pace.pausedUntilMs ?? 0) < nowMs;
      if (isOver && pace.failingSinceMs === null && cautionAt(pace, nowMs) === 0) this.#paces.delete(chatId);
    }
  }
}

/** The same number in the same time, and no two at once. */
function spread({ limit, lengthMs }: Window): Window {
  return { limit: 1, lengthMs: lengthMs / limit };
}

/** When the window has room for one more; `recentMs` is newest first. */
function roomAtMs(recentMs: readonly number[], { limit, lengthMs }: Window, stretch: number): number {
  const oldest = recentMs[limit - 1];
  return oldest === undefined ? 0 : oldest + lengthMs * stretch;
}
