import type { OpenRecipient, Recipient } from "./rows/recipients.ts";

interface OpenChat {
  /** The users with open alerts for the chat, and the position of their newest alert. */
  readonly people: Map<string, number>;
  nextMs: number;
  isBusy: boolean;
}

/**
 * Decides which chat is sent to next. Users take turns, and within a user the chats do, so that many alerts of one user
 * do not delay another's. A chat has at most one message in flight.
 */
export class ChatTurns {
  readonly #chats = new Map<string, OpenChat>();
  /** Users in the order of their turns, each with their chats in the order of theirs. */
  readonly #turns = new Map<string, Set<string>>();
  readonly #freeAtMs: (chatId: string) => number;

  /** `freeAtMs`: the time from which the rate limits allow a message to the chat. */
  constructor(freeAtMs: (chatId: string) => number) {
    this.#freeAtMs = freeAtMs;
  }

  /** Takes all recipients with open alerts. A chat with a new alert becomes due; with `isFull` every chat does. */
  note(open: readonly OpenRecipient[], { nowMs, isFull }: { nowMs: number; isFull: boolean }): void {
    for (const { chatId, userId, newestPosition } of open) {
      const chat = this.#chats.get(chatId) ?? { people: new Map(), nextMs: nowMs, isBusy: false };
      this.#chats.set(chatId, chat);
      if (isFull || newestPosition > (chat.people.get(userId) ?? 0))
        chat.nextMs = Math.min(chat.nextMs, nowMs);
      chat.people.set(userId, newestPosition);
      this.#turns.set(userId, (this.#turns.get(userId) ?? new Set<string>()).add(chatId));
    }
  }

  /** Takes the chats that may be sent to now, each with its recipients. They are busy until `free` is called. */
  take(nowMs: number, count: number): Recipient[][] {
    const taken: Recipient[][] = [];
    for (let hasMore = true; hasMore; ) {
      hasMore = false;
      for (const [userId, chats] of [...this.#turns]) {
        if (taken.length >= count) return taken;
        const chatId = [...chats].find((id) => this.#readyMs(id) <= nowMs);
        const chat = chatId === undefined ? undefined : this.#chats.get(chatId);
        if (chatId === undefined || chat === undefined) continue;
        hasMore = true;
        chat.isBusy = true;
        taken.push([...chat.people.keys()].map((person) => ({ chatId, userId: person })));
        // The user and the chat go to the end of their queues.
        chats.delete(chatId);
        this.#turns.delete(userId);
        this.#turns.set(userId, chats.add(chatId));
      }
    }
    return taken;
  }

  /** The chat's message was sent, or there was none. The chat is due again at `nextMs`. */
  free(chatId: string, nextMs: number): void {
    const chat = this.#chats.get(chatId);
    if (chat !== undefined) Object.assign(chat, { isBusy: false, nextMs });
  }

  /** The recipient has no open alerts left. */
  close({ chatId, userId }: Recipient): void {
    const chat = this.#chats.get(chatId);
    chat?.people.delete(userId);
    if (chat?.people.size === 0) this.#chats.delete(chatId);
    const chats = this.#turns.get(userId);
    chats?.delete(chatId);
    if (chats?.size === 0) this.#turns.delete(userId);
  }

  /** When the next chat is due; infinity if there is none. */
  nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const chatId of this.#chats.keys()) nextMs = Math.min(nextMs, this.#readyMs(chatId));
    return nextMs;
  }

  #readyMs(chatId: string): number {
    const chat = this.#chats.get(chatId);
    if (chat === undefined || chat.isBusy) return Number.POSITIVE_INFINITY;
    return Math.max(chat.nextMs, this.#freeAtMs(chatId));
  }
}
