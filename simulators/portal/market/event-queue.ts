interface Timed {
  readonly at: number;
}

/** A binary heap by time; equal times leave in the order they came in. */
export class EventQueue<E extends Timed> {
  #heap: { order: number; event: E }[] = [];
  #pushed = 0;

  get size(): number {
    return this.#heap.length;
  }

  push(event: E): void {
    const entry = { order: this.#pushed++, event };
    let index = this.#heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) {
        break;
      }
      this.#swap(index, parent);
      index = parent;
    }
  }

  /** Takes the earliest event if it is due. */
  popDue(now: number): E | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.event.at > now) {
      return undefined;
    }
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first.event;
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= this.#heap.length) {
        return;
      }
      const child = left + 1 < this.#heap.length && this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(child, index)) {
        return;
      }
      this.#swap(index, child);
      index = child;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) {
      return false;
    }
    return one.event.at === other.event.at ? one.order < other.order : one.event.at < other.event.at;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one !== undefined && other !== undefined) {
      this.#heap[a] = other;
      this.#heap[b] = one;
    }
  }
}
