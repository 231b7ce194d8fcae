import type { Lane, OpenLane } from "#store/outbox/outbox.ts";

interface OpenChat {
  readonly chatId: string;
  /** Who has something for it, and the position of their newest. */
  readonly people: Map<string, number>;
  nextMs: number;
  isBusy: boolean;
}

/**
 * Whose turn it is. People take turns, then each person's chats do, so that nobody's flood delays another's alert; a
 * chat has one message in flight.
 */
export class Lanes {
  readonly #chats = new Map<string, OpenChat>();
  /** People in the order of their turns, each with their chats in the order of theirs. */
  readonly #turns = new Map<string, Set<string>>();
  readonly #freeAtMs: (chatId: string) => number;

  /** Before that time a chat takes nothing. */
  constructor(freeAtMs: (chatId: string) => number) {
    this.#freeAtMs = freeAtMs;
  }

  /** Everything that is open. Where something was added the chat is looked at anew; on `isAnew` every one is. */
  note(lanes: readonly OpenLane[], { nowMs, isAnew }: { nowMs: number; isAnew: boolean }): void {
    for (const { chatId, userId, newestPosition } of lanes) {
      const chat = this.#chats.get(chatId) ?? { chatId, people: new Map(), nextMs: nowMs, isBusy: false };
      this.#chats.set(chatId, chat);
      if (isAnew || newestPosition > (chat.people.get(userId) ?? 0))
        chat.nextMs = Math.min(chat.nextMs, nowMs);
      chat.people.set(userId, newestPosition);
      const turns = this.#turns.get(userId) ?? new Set<string>();
      this.#turns.set(userId, turns.add(chatId));
    }
  }

  /** Chats that may be written to now, by turns, each with who has something for it. They are busy until freed. */
  take(nowMs: number, count: number): Lane[][] {
    const taken: Lane[][] = [];
    for (let hasMore = true; hasMore && taken.length < count; ) {
      hasMore = false;
      for (const userId of [...this.#turns.keys()]) {
        const chat = taken.length < count ? this.#nextOf(userId, nowMs) : undefined;
        if (chat === undefined) continue;
        hasMore = true;
        chat.isBusy = true;
        taken.push([...chat.people.keys()].map((person) => ({ chatId: chat.chatId, userId: person })));
      }
    }
    return taken;
  }

  /** Its message is out, or there was none to send; it may be asked again at that time. */
  free(chatId: string, nextMs: number): void {
    const chat = this.#chats.get(chatId);
    if (chat === undefined) return;
    chat.isBusy = false;
    chat.nextMs = nextMs;
  }

  /** Nothing is open there any more. */
  close({ chatId, userId }: Lane): void {
    const chat = this.#chats.get(chatId);
    chat?.people.delete(userId);
    if (chat?.people.size === 0) this.#chats.delete(chatId);
    const turns = this.#turns.get(userId);
    turns?.delete(chatId);
    if (turns?.size === 0) this.#turns.delete(userId);
  }

  /** When the next chat may be written to; undefined while nothing is open. */
  nextMs(): number | undefined {
    let next: number | undefined;
    for (const chat of this.#chats.values()) {
      if (chat.isBusy) continue;
      const at = this.#readyMs(chat);
      if (next === undefined || at < next) next = at;
    }
    return next;
  }

  #nextOf(userId: string, nowMs: number): OpenChat | undefined {
    const turns = this.#turns.get(userId);
    for (const chatId of turns ?? []) {
      const chat = this.#chats.get(chatId);
      if (turns === undefined || chat === undefined || chat.isBusy || this.#readyMs(chat) > nowMs) continue;
      turns.delete(chatId);
      turns.add(chatId);
      this.#turns.delete(userId);
      this.#turns.set(userId, turns);
      return chat;
    }
    return undefined;
  }

  #readyMs({ chatId, nextMs }: OpenChat): number {
    return Math.max(nextMs, this.#freeAtMs(chatId));
  }
}
