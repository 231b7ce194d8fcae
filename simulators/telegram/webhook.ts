import type { TelegramClock } from "./clock.ts";
import type { Update, UpdateQueue } from "./update-queue.ts";

interface WebhookSettings {
  readonly url: string;
  readonly secret: string;
  readonly maxConnections: number;
}

interface Attempt {
  fails: number;
  wakeAt: number;
  isUnderWay: boolean;
}

const MAX_DELAY_SECONDS = 60;
const MAX_RETRY_AFTER_SECONDS = 3600;
const ANSWER_WITHIN_MS = 60_000;

/**
 * Sends updates to a URL, one at a time per chat. A failed update is sent again at once, then after 2, 4, 8 … 60 s, or after
 * the Retry-After of the answer.
 */
export class Webhook {
  readonly #clock: TelegramClock;
  readonly #updates: UpdateQueue;
  readonly #attempts = new Map<Update, Attempt>();
  readonly #aborts = new Set<AbortController>();
  #settings: WebhookSettings | undefined;
  #stopAlarm = () => {};

  constructor(clock: TelegramClock, updates: UpdateQueue) {
    this.#clock = clock;
    this.#updates = updates;
    updates.onPush(() => this.#pump());
  }

  get url(): string | undefined {
    return this.#settings?.url;
  }

  /** The number of updates being sent. */
  get underWay(): number {
    return this.#aborts.size;
  }

  set(settings: WebhookSettings): void {
    this.#attempts.clear();
    this.#settings = settings;
    this.#pump();
  }

  remove(): void {
    this.#settings = undefined;
    this.#attempts.clear();
    this.#stopAlarm();
  }

  stop(): void {
    this.remove();
    for (const abort of this.#aborts) abort.abort();
  }

  #pump(): void {
    if (this.#settings === undefined) return;
    const busyChats = new Set<unknown>();
    let nextWake = Number.POSITIVE_INFINITY;
    for (const update of this.#updates.all) {
      const chat = chatOf(update);
      if (busyChats.has(chat)) continue;
      busyChats.add(chat);
      const attempt = this.#attempts.get(update) ?? { fails: 0, wakeAt: 0, isUnderWay: false };
      this.#attempts.set(update, attempt);
      if (attempt.isUnderWay) continue;
      if (attempt.wakeAt > this.#clock.now()) nextWake = Math.min(nextWake, attempt.wakeAt);
      else if (this.#aborts.size < this.#settings.maxConnections) void this.#send(update, attempt);
    }
    this.#stopAlarm();
    if (Number.isFinite(nextWake)) {
      this.#stopAlarm = this.#clock.after(nextWake - this.#clock.now(), () => this.#pump());
    }
  }

  async #send(update: Update, attempt: Attempt): Promise<void> {
    const settings = this.#settings;
    if (settings === undefined) return;
    attempt.isUnderWay = true;
    const abort = new AbortController();
    this.#aborts.add(abort);
    const stopTimer = this.#clock.after(ANSWER_WITHIN_MS, () => abort.abort());
    const answer = await post(settings, update, abort.signal).catch(() => undefined);
    stopTimer();
    this.#aborts.delete(abort);
    attempt.isUnderWay = false;
    if (this.#settings !== settings) return;
    if (answer?.ok) {
      this.#attempts.delete(update);
      this.#updates.drop(update);
    } else {
      const asked = Number(answer?.headers.get("retry-after") ?? 0) || 0;
      const backOff = attempt.fails === 0 ? 0 : Math.min(2 ** attempt.fails, MAX_DELAY_SECONDS);
      const waitSeconds = asked > 0 ? Math.min(asked, MAX_RETRY_AFTER_SECONDS) : backOff;
      attempt.fails += 1;
      attempt.wakeAt = this.#clock.now() + waitSeconds * 1000;
    }
    this.#pump();
  }
}

async function post(
  { url, secret }: WebhookSettings,
  update: Update,
  signal: AbortSignal,
): Promise<Response> {
  const answer = await fetch(url, {
    method: "POST",
    redirect: "manual",
    signal,
    headers: {
      "content-type": "application/json",
      ...(secret === "" ? {} : { "x-telegram-bot-api-secret-token": secret }),
    },
    body: JSON.stringify(update),
  });
  await answer.text();
  return answer;
}

function chatOf(update: Update): unknown {
  for (const content of Object.values(update)) {
    const { chat, message } = (content ?? {}) as {
      chat?: { id?: unknown };
      message?: { chat?: { id?: unknown } };
    };
    const id = chat?.id ?? message?.chat?.id;
    if (id !== undefined) return id;
  }
  return update;
}
