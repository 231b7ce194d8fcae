/** How fast one chat may be written to, by Telegram's limits and by what it last asked for. */
import type { ChatPace, Slowdown } from "#store/outbox/send-state.ts";

/**
 * "Avoid more than one message a second; short bursts pass", says Telegram, and servers were met that count five in any
 * five seconds. One less is sent, for the bot's own replies count too, and a hair later, for no two clocks agree.
 */
const CHAT_WINDOW = { limit: 4, lengthMs: 5_100 };
/** When it was asked for silence: the same number in the same time, and no two at once. */
const SLOW_CHAT_WINDOW = { limit: 1, lengthMs: CHAT_WINDOW.lengthMs / CHAT_WINDOW.limit };
/** Telegram's twenty a minute in a group, with the same margin. */
export const GROUP_WINDOW = { limit: 18, lengthMs: 60_500 };

const SLOWEST = 6;
/** Telegram's limits move and are not told: what was too much is tried again, but not soon. */
const SLOWDOWN_STEP_MS = 10 * 60_000;

/** From when on the chat takes a message. */
export function freeAtMs({ recentMs, pausedUntilMs, ...slowdown }: ChatPace, nowMs: number): number {
  const step = slowdownAt(slowdown, nowMs);
  const roomAtMs = ({ limit, lengthMs }: typeof CHAT_WINDOW) => {
    const oldest = recentMs[limit - 1];
    return oldest === undefined ? 0 : oldest + lengthMs * (1 + step / 2);
  };
  return Math.max(
    pausedUntilMs ?? 0,
    roomAtMs(step > 0 ? SLOW_CHAT_WINDOW : CHAT_WINDOW),
    roomAtMs(GROUP_WINDOW),
  );
}

/** More than a burst is remembered only where a minute counts; a chat of unknown kind may be a group. */
export function afterSend(pace: ChatPace, sentMs: number, chatKind: string | null): ChatPace {
  const isGroup = pace.chatId.startsWith("-") && chatKind !== "channel";
  const { limit } = isGroup ? GROUP_WINDOW : CHAT_WINDOW;
  return { ...pace, recentMs: [sentMs, ...pace.recentMs].slice(0, limit) };
}

/** The step that still holds: one is given back every ten minutes. */
export function slowdownAt({ slowdown, floodedAtMs }: Slowdown, nowMs: number): number {
  if (floodedAtMs === null) return 0;
  return Math.max(0, slowdown - Math.floor(Math.max(0, nowMs - floodedAtMs) / SLOWDOWN_STEP_MS));
}

export function slowedDown(known: Slowdown, nowMs: number): Slowdown {
  return { slowdown: Math.min(SLOWEST, slowdownAt(known, nowMs) + 1), floodedAtMs: nowMs };
}
