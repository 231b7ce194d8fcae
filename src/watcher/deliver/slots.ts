const LIMIT = 30;
const WINDOW_MS = 1000;

/**
 * Thirty messages in any second over all chats. When a message reached Telegram nobody tells, only that it was between
 * the sending and the answer; so a place is taken from the one and for a second after the other, and the limit holds
 * however long either side stalls.
 */
export class Slots {
  #inUse = 0;
  /** When each place that waits out its second is free, earliest first. */
  #freeAt: number[] = [];

  /** Places that are free by then, as far as is known. */
  freeBy(ms: number): number {
    return LIMIT - this.#inUse - this.#freeAt.filter((at) => at > ms).length;
  }

  /** When so many places are free, from then on; undefined while it depends on answers still out. */
  freeMs(count: number, nowMs: number): number | undefined {
    return [nowMs, ...this.#freeAt].find((at) => at >= nowMs && this.freeBy(at) >= count);
  }

  take(): void {
    this.#inUse += 1;
  }

  release(nowMs: number): void {
    this.#inUse -= 1;
    this.#freeAt = [...this.#freeAt.filter((at) => at > nowMs), nowMs + WINDOW_MS];
  }

  /** Somebody else sent up to this moment. */
  takeAllUntil(ms: number): void {
    this.#freeAt = Array(LIMIT).fill(ms + WINDOW_MS);
  }
}
