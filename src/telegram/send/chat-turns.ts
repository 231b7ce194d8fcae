import type { OpenRecipient, Recipient } from "#store/outbox/recipients.ts";

interface OpenChat {
  /** Who has something for it, and the position of their newest. */
  readonly people: Map<string, number>;
  nextMs: number;
  isBusy: boolean;
}

/**
 * Whose turn it is. People take turns, then each person's chats do, so that nobody's flood delays another's alert; a
 * chat has one message in flight.
 */
export class ChatTurns {
  readonly #chats = new Map<string, OpenChat>();
  /** People in the order of their turns, each with their chats in the order of theirs. */
  readonly #turns = new Map<string, Set<string>>();
  readonly #freeAtMs: (chatId: string) => number;

  /** Before that time a chat takes nothing. */
  constructor(freeAtMs: (chatId: string) => number) {
    this.#freeAtMs = freeAtMs;
  }

  /** Everything that is open. Where something was added the chat is looked at anew; on `isAnew` every one is. */
  note(open: readonly OpenRecipient[], { nowMs, isAnew }: { nowMs: number; isAnew: boolean }): void {
    for (const { chatId, userId, newestPosition } of open) {
      const chat = this.#chats.get(chatId) ?? { people: new Map(), nextMs: nowMs, isBusy: false };
      this.#chats.set(chatId, chat);
      if (isAnew || newestPosition > (chat.people.get(userId) ?? 0))
        chat.nextMs = Math.min(chat.nextMs, nowMs);
      chat.people.set(userId, newestPosition);
      this.#turns.set(userId, (this.#turns.get(userId) ?? new Set<string>()).add(chatId));
    }
  }

  /** Chats that may be written to now, by turns, each with who has something for it. They are busy until freed. */
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
        // Both go to the end of their line.
        chats.delete(chatId);
        this.#turns.delete(userId);
        this.#turns.set(userId, chats.add(chatId));
      }
    }
    return taken;
  }

  /** Its message is out, or there was none to send; it may be asked again at that time. */
  free(chatId: string, nextMs: number): void {
    const chat = this.#chats.get(chatId);
    if (chat !== undefined) Object.assign(chat, { isBusy: false, nextMs });
  }

  /** Nothing is open there any more. */
  close({ chatId, userId }: Recipient): void {
    const chat = this.#chats.get(chatId);
    chat?.people.delete(userId);
    if (chat?.people.size === 0) this.#chats.delete(chatId);
    const chats = this.#turns.get(userId);
    chats?.delete(chatId);
    if (chats?.size === 0) this.#turns.delete(userId);
  }

  /** When the next chat may be written to; never, while there is none. */
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
