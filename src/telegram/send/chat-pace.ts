// How fast messages may be sent to one chat: Telegram's limits, and slower after a 429 response.
import type { ChatPace, Slowdown } from "./rows/send-state.ts";

/**
 * Telegram says: "avoid sending more than one message per second", with short bursts allowed
 * (https://core.telegram.org/bots/faq). Observed: five in any five seconds. We send four, because the bot's replies count
 * too, and add 100 ms for differing clocks.
 */
const CHAT_WINDOW = { limit: 4, lengthMs: 5_100 };
/** After a 429 response: the same rate without bursts. */
const SLOW_CHAT_WINDOW = { limit: 1, lengthMs: CHAT_WINDOW.lengthMs / CHAT_WINDOW.limit };
/** Telegram allows twenty a minute in a group. Same margins. */
export const GROUP_WINDOW = { limit: 18, lengthMs: 60_500 };

const SLOWEST = 6;
/** Telegram's limits change and are not published, so each step of slowdown ends after this time. */
const SLOWDOWN_STEP_MS = 10 * 60_000;

/** The time from which the chat may be sent a message. */
export function freeAtMs({ recentMs, pausedUntilMs, ...slowdown }: ChatPace, nowMs: number): number {
  const step = slowdownAt(slowdown, nowMs);
  const roomAtMs = ({ limit, lengthMs }: typeof CHAT_WINDOW) => {
    const oldest = recentMs[limit - 1];
    // One far ahead of now was sent before the clock was set back.
    const isOver = oldest === undefined || oldest > nowMs + lengthMs;
    return isOver ? 0 : oldest + lengthMs * (1 + step / 2);
  };
  return Math.max(
    pausedUntilMs ?? 0,
    roomAtMs(step > 0 ? SLOW_CHAT_WINDOW : CHAT_WINDOW),
    roomAtMs(GROUP_WINDOW),
  );
}

/** Only groups need the sends of a whole minute. A chat of unknown kind may be a group. */
export function afterSend(pace: ChatPace, sentMs: number, chatKind: string | null): ChatPace {
  const isGroup = pace.chatId.startsWith("-") && chatKind !== "channel";
  const { limit } = isGroup ? GROUP_WINDOW : CHAT_WINDOW;
  return { ...pace, recentMs: [sentMs, ...pace.recentMs].slice(0, limit) };
}

/** The current step of slowdown. It decreases by one every ten minutes. */
export function slowdownAt({ slowdown, floodedAtMs }: Slowdown, nowMs: number): number {
  if (floodedAtMs === null) return 0;
  return Math.max(0, slowdown - Math.floor(Math.max(0, nowMs - floodedAtMs) / SLOWDOWN_STEP_MS));
}

export function slowedDown(known: Slowdown, nowMs: number): Slowdown {
  return { slowdown: Math.min(SLOWEST, slowdownAt(known, nowMs) + 1), floodedAtMs: nowMs };
}

/** Telegram asked for a wait, and for another one after it: perhaps it is the picture that it does not take now. */
export function wasFloodedAgain({ floodedAtMs, failingSinceMs }: ChatPace): boolean {
  return failingSinceMs !== null && floodedAtMs !== null && floodedAtMs > failingSinceMs;
}
