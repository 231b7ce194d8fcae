const MOST = 30;
const LATE_MS = 1000;
const PATIENCE_MS = 1000;
const EASE_MS = 10_000;

/**
 * How many messages may be between being sent and being written down. What is there when the process dies may be told
 * twice, so it is one, as long as that serves; where answers take their time and alerts have waited a second for them,
 * it is one more, and so on. A message that is late is no longer waited for.
 */
export class Flights {
  readonly #beganMs = new Map<symbol, number>();
  #allowed = 1;
  #waitingSinceMs: number | undefined;
  #changedMs = 0;

  begin(nowMs: number): symbol {
    const flight = Symbol("flight");
    this.#beganMs.set(flight, nowMs);
    return flight;
  }

  end(flight: symbol): void {
    this.#beganMs.delete(flight);
  }

  /** Asked for a message that could be sent; when it may be. */
  nextMs(nowMs: number): number {
    const dueMs = this.#dueMs(nowMs);
    if (dueMs.length < this.#allowed) return nowMs;
    this.#waitingSinceMs ??= nowMs;
    if (nowMs - this.#waitingSinceMs >= PATIENCE_MS && this.#allowed < MOST) {
      this.#allowed += 1;
      this.#changedMs = nowMs;
      this.#waitingSinceMs = nowMs;
      return nowMs;
    }
    return dueMs[dueMs.length - this.#allowed] ?? nowMs;
  }

  /** Nothing waits. */
  rest(nowMs: number): void {
    this.#waitingSinceMs = undefined;
    if (this.#allowed > 1 && nowMs - this.#changedMs >= EASE_MS) {
      this.#allowed -= 1;
      this.#changedMs = nowMs;
    }
  }

  /** When each that is waited for is late, soonest first. */
  #dueMs(nowMs: number): number[] {
    return [...this.#beganMs.values()]
      .map((began) => began + LATE_MS)
      .filter((due) => due > nowMs)
      .toSorted((one, other) => one - other);
  }
}
