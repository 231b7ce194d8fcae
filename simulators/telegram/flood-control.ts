import type { TelegramClock } from "./clock.ts";
import type { Chat } from "./model.ts";

export interface FloodLimits {
  /** Messages in any second, over all chats. */
  readonly perSecond: number;
  /** Messages a second in one chat, in the long run. */
  readonly perChatPerSecond: number;
  /** How many messages in a row an idle chat accepts. */
  readonly chatBurst: number;
  /** "allowance": each second adds one message to the burst. "window" is stricter: n messages in any n seconds. */
  readonly chatCounting: "allowance" | "window";
  /** Messages in any minute in one group. Edits have a separate limit of the same size. */
  readonly perGroupPerMinute: number;
}

/** The limits in Telegram's FAQ for bots. The real ones are not published and change. */
export const TELEGRAM_LIMITS: FloodLimits = {
  perSecond: 30,
  perChatPerSecond: 1,
  chatBurst: 5,
  chatCounting: "allowance",
  perGroupPerMinute: 20,
};

interface Window {
  readonly times: number[];
  readonly lengthMs: number;
  readonly limit: number;
}

interface ChatTraffic {
  /** When the chat's burst is available again. Each message moves it by one interval. */
  wholeAt: number;
  closedUntil: number;
  readonly burst: number[];
  readonly sends: number[];
  readonly edits: number[];
}

/** Telegram's flood control. A chat that must wait is blocked until then, and further calls do not change that. */
export class FloodControl {
  readonly #clock: TelegramClock;
  readonly #limits: FloodLimits | undefined;
  readonly #all: number[] = [];
  readonly #chats = new Map<number, ChatTraffic>();
  #closedUntil = 0;

  constructor(clock: TelegramClock, limits: FloodLimits | undefined) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Returns the seconds to wait, or counts the message and returns 0. */
  admit(chat: Chat, action: "send" | "edit"): number {
    if (this.#limits === undefined) return 0;
    const now = this.#clock.now();
    const traffic = this.#trafficOf(chat.id);
    const closedMs = Math.max(this.#closedUntil, traffic.closedUntil) - now;
    if (closedMs > 0) return Math.ceil(closedMs / 1000);
    const { perSecond, perChatPerSecond, chatBurst, chatCounting } = this.#limits;
    const windows = windowsOf(chat, traffic, action, this.#limits);
    const intervalMs = 1000 / perChatPerSecond;
    const isSend = action === "send";
    const allMs = isSend ? waitIn({ times: this.#all, lengthMs: 1000, limit: perSecond }, now) : 0;
    const hasAllowance = isSend && chatCounting === "allowance";
    const burstMs = hasAllowance ? traffic.wholeAt - now - (chatBurst - 1) * intervalMs : 0;
    const chatMs = Math.max(burstMs, ...windows.map((window) => waitIn(window, now)));
    if (allMs > 0) this.#closedUntil = now + Math.ceil(allMs / 1000) * 1000;
    if (chatMs > 0) traffic.closedUntil = now + Math.ceil(chatMs / 1000) * 1000;
    if (allMs > 0 || chatMs > 0) return Math.ceil(Math.max(allMs, chatMs) / 1000);
    for (const { times } of windows) times.push(now);
    if (isSend) {
      this.#all.push(now);
      traffic.wholeAt = Math.max(traffic.wholeAt, now) + intervalMs;
    }
    return 0;
  }

  #trafficOf(chatId: number): ChatTraffic {
    const known = this.#chats.get(chatId);
    const traffic = known ?? { wholeAt: 0, closedUntil: 0, burst: [], sends: [], edits: [] };
    this.#chats.set(chatId, traffic);
    return traffic;
  }
}

function windowsOf(chat: Chat, traffic: ChatTraffic, action: "send" | "edit", limits: FloodLimits): Window[] {
  const { perChatPerSecond, chatBurst, chatCounting, perGroupPerMinute } = limits;
  const windows: Window[] = [];
  if (action === "send" && chatCounting === "window") {
    const lengthMs = (chatBurst / perChatPerSecond) * 1000;
    windows.push({ times: traffic.burst, lengthMs, limit: chatBurst });
  }
  if (chat.kind === "group" || chat.kind === "supergroup") {
    const times = action === "send" ? traffic.sends : traffic.edits;
    windows.push({ times, lengthMs: 60_000, limit: perGroupPerMinute });
  }
  return windows;
}

/** Milliseconds until the window has room for one more. Drops entries outside the window. */
function waitIn({ times, lengthMs, limit }: Window, now: number): number {
  while ((times[0] ?? now) <= now - lengthMs) times.shift();
  const blocking = times[times.length - limit];
  return blocking === undefined ? 0 : blocking + lengthMs - now;
}
