import type { TelegramClock } from "./clock.ts";
import { badRequest } from "./refusal.ts";

export interface Update {
  readonly update_id: number;
  readonly [kind: string]: unknown;
}

interface Queued {
  readonly update: Update;
  readonly expiresAt: number;
}

const UPDATE_KINDS = [
  "message",
  "edited_message",
  "channel_post",
  "edited_channel_post",
  "business_connection",
  "business_message",
  "edited_business_message",
  "deleted_business_messages",
  "message_reaction",
  "message_reaction_count",
  "inline_query",
  "chosen_inline_result",
  "callback_query",
  "shipping_query",
  "pre_checkout_query",
  "purchased_paid_media",
  "poll",
  "poll_answer",
  "my_chat_member",
  "chat_member",
  "chat_join_request",
  "chat_boost",
  "removed_chat_boost",
] as const;
const ONLY_WHEN_ASKED: readonly string[] = ["chat_member", "message_reaction", "message_reaction_count"];
/** Of an id beyond it nobody counts on. */
const HIGHEST_ID = 2 ** 31 - 1;
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The updates nobody has confirmed yet; a day old and they are gone. */
export class UpdateQueue {
  readonly #clock: TelegramClock;
  readonly #listeners = new Set<() => void>();
  #queued: Queued[] = [];
  #lastId = 700_000_000;
  /** None: all kinds but those one must ask for. */
  allowed: readonly string[] = [];

  constructor(clock: TelegramClock) {
    this.#clock = clock;
  }

  get size(): number {
    this.#forgetOld();
    return this.#queued.length;
  }

  /** Answers the update's id, or nothing where the bot does not want that kind. */
  push(kind: string, content: unknown): number | undefined {
    const isWanted =
      this.allowed.length === 0 ? !ONLY_WHEN_ASKED.includes(kind) : this.allowed.includes(kind);
    if (!isWanted) return undefined;
    this.#lastId += 1;
    this.inject({ update_id: this.#lastId, [kind]: content });
    return this.#lastId;
  }

  /** As it is, even an id seen before or a shape nobody knows. */
  inject(update: Update): void {
    const { update_id: id } = update;
    if (Number.isInteger(id) && id <= HIGHEST_ID) this.#lastId = Math.max(this.#lastId, id);
    this.#queued.push({ update, expiresAt: this.#clock.now() + KEPT_MS });
    for (const listener of this.#listeners) listener();
  }

  nextId(): number {
    return this.#lastId + 1;
  }

  /** A positive offset confirms what lies before it; a negative one keeps only that many of the last. */
  take(offset: number, limit: number): Update[] {
    this.#forgetOld();
    if (offset < 0) this.#queued = this.#queued.slice(offset);
    else if (offset > 0) this.#queued = this.#queued.filter(({ update }) => update.update_id >= offset);
    return this.#queued
      .map(({ update }) => update)
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .slice(0, limit);
  }

  first(): Queued | undefined {
    this.#forgetOld();
    return this.#queued[0];
  }

  all(): readonly Queued[] {
    this.#forgetOld();
    return this.#queued;
  }

  drop(update: Update): void {
    this.#queued = this.#queued.filter((entry) => entry.update !== update);
  }

  clear(): void {
    this.#queued = [];
  }

  onPush(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #forgetOld(): void {
    const now = this.#clock.now();
    if (this.#queued.some(({ expiresAt }) => expiresAt <= now)) {
      this.#queued = this.#queued.filter(({ expiresAt }) => expiresAt > now);
    }
  }
}

/** Telegram's queue is in the order of its ids; what has none of those comes last. */
function placeOf({ update_id: id }: Update): number {
  return Number.isInteger(id) && id <= HIGHEST_ID ? id : HIGHEST_ID + 1;
}

/** Names nobody knows are passed over, as Telegram does; what is no list of names is refused. */
export function readAllowedUpdates(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw badRequest("expected an Array of String as allowed_updates");
  return UPDATE_KINDS.filter((kind) => value.includes(kind));
}
