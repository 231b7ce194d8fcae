const LIMIT = 30;
/** Telegram's second, and a hair more: no two clocks agree. */
const WINDOW_MS = 1010;
/** Places that stay empty for each step of caution, once Telegram has asked for silence. */
const LEFT_EMPTY = 3;

/**
 * Thirty messages in any second over all chats. When a message reached Telegram nobody tells, only that it was between
 * the sending and the answer; so a place is taken from the one and for a second after the other, and the limit holds
 * however long either side stalls.
 */
export class Slots {
  #inUse = 0;
  /** When each place that waits out its second is free, earliest first. */
  #freeAt: number[] = [];
  readonly #cautionAt: (ms: number) => number;

  constructor(cautionAt: (ms: number) => number = () => 0) {
    this.#cautionAt = cautionAt;
  }

  /** Places that are free by then, as far as is known. */
  freeBy(ms: number): number {
    return (
      LIMIT - LEFT_EMPTY * this.#cautionAt(ms) - this.#inUse - this.#freeAt.filter((at) => at > ms).length
    );
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
