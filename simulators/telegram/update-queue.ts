export interface Update {
  readonly update_id: number;
  readonly [kind: string]: unknown;
}

/** Of an id beyond it nobody counts on. */
const HIGHEST_ID = 2 ** 31 - 1;

/** The updates nobody has confirmed yet. */
export class UpdateQueue {
  readonly #listeners = new Set<() => void>();
  #queued: Update[] = [];
  #lastId = 700_000_000;
  /** Which kinds the bot wants; none: all of them. */
  allowed: readonly string[] = [];

  get all(): readonly Update[] {
    return this.#queued;
  }

  get size(): number {
    return this.#queued.length;
  }

  push(kind: string, content: unknown): void {
    if (this.allowed.length > 0 && !this.allowed.includes(kind)) return;
    this.inject({ update_id: this.nextId(), [kind]: content });
  }

  /** As it is, even an id seen before or a shape nobody knows. */
  inject(update: Update): void {
    const { update_id: id } = update;
    if (Number.isInteger(id) && id <= HIGHEST_ID) this.#lastId = Math.max(this.#lastId, id);
    this.#queued.push(update);
    for (const listener of this.#listeners) listener();
  }

  nextId(): number {
    return this.#lastId + 1;
  }

  /** A positive offset confirms what lies before it; a negative one keeps only that many of the last. */
  take(offset: number, limit: number): Update[] {
    if (offset < 0) this.#queued = this.#queued.slice(offset);
    else if (offset > 0) this.#queued = this.#queued.filter(({ update_id: id }) => id >= offset);
    return this.#queued.toSorted((one, other) => placeOf(one) - placeOf(other)).slice(0, limit);
  }

  drop(update: Update): void {
    this.#queued = this.#queued.filter((entry) => entry !== update);
  }

  onPush(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Telegram's queue is in the order of its ids; what has none of those comes last. */
function placeOf({ update_id: id }: Update): number {
  return Number.isInteger(id) && id <= HIGHEST_ID ? id : HIGHEST_ID + 1;
}
