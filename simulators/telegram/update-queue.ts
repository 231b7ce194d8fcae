export interface Update {
  readonly update_id: number;
  readonly [kind: string]: unknown;
}

/** Higher ids are injected by tests and do not advance the counter. */
const HIGHEST_ID = 2 ** 31 - 1;

/** The unconfirmed updates. */
export class UpdateQueue {
  readonly #listeners = new Set<() => void>();
  #queued: Update[] = [];
  #lastId = 700_000_000;
  /** The kinds of updates that the bot wants; all if empty. */
  allowed: readonly string[] = [];

  get all(): readonly Update[] {
    return this.#queued;
  }

  get size(): number {
    return this.#queued.length;
  }

  state(): { lastId: number; queued: readonly Update[] } {
    return { lastId: this.#lastId, queued: this.#queued };
  }

  restore({ lastId, queued }: { readonly lastId: number; readonly queued: readonly Update[] }): void {
    this.#lastId = lastId;
    this.#queued = [...queued];
  }

  push(kind: string, content: unknown): void {
    if (this.allowed.length > 0 && !this.allowed.includes(kind)) return;
    this.inject({ update_id: this.nextId(), [kind]: content });
  }

  /** Adds an update as it is, even with a used id or an invalid shape. */
  inject(update: Update): void {
    const { update_id: id } = update;
    if (Number.isInteger(id) && id <= HIGHEST_ID) this.#lastId = Math.max(this.#lastId, id);
    this.#queued.push(update);
    for (const listener of this.#listeners) listener();
  }

  nextId(): number {
    return this.#lastId + 1;
  }

  /** A positive offset confirms the updates before it; a negative one keeps only that many of the latest. */
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

/** Sorted by id. Updates without a valid id come last. */
function placeOf({ update_id: id }: Update): number {
  return Number.isInteger(id) && id <= HIGHEST_ID ? id : HIGHEST_ID + 1;
}
