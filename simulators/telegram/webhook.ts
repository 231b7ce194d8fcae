import type { TelegramClock } from "./clock.ts";
import type { Update, UpdateQueue } from "./update-queue.ts";

interface WebhookSettings {
  readonly url: string;
  readonly secret: string;
  readonly maxConnections: number;
}

interface Attempt {
  fails: number;
  delaySeconds: number;
  wakeAt: number;
  isUnderWay: boolean;
}

interface Failure {
  readonly message: string;
  /** 0 where there was no answer. */
  readonly status: number;
  readonly retryAfterSeconds: number;
}

const MAX_DELAY_SECONDS = 60;
const MAX_RETRY_AFTER_SECONDS = 3600;
const ANSWER_WITHIN_MS = 60_000;
const GONE_CLOSES_AFTER_MS = 23 * 60 * 60 * 1000;

/**
 * Brings updates to a URL. One chat's updates go one after another, several chats at once. An update that
 * fails is sent again at once, then after 2, 4, 8 … 60 s, or when the answer's Retry-After says.
 */
export class Webhook {
  readonly #clock: TelegramClock;
  readonly #updates: UpdateQueue;
  readonly #attempts = new Map<Update, Attempt>();
  readonly #aborts = new Set<AbortController>();
  /** Carries out a call that came back as the answer to an update. */
  onReply: (body: Record<string, unknown>) => void = () => {};
  lastError: { at: number; message: string } | undefined;
  #settings: WebhookSettings | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;
  #goneSince: number | undefined;
  #stopAlarm = () => {};

  constructor(clock: TelegramClock, updates: UpdateQueue) {
    this.#clock = clock;
    this.#updates = updates;
    updates.onPush(() => this.#pump());
  }

  get url(): string | undefined {
    return this.#settings?.url;
  }

  get maxConnections(): number | undefined {
    return this.#settings?.maxConnections;
  }

  /** How many updates are on their way this moment. */
  get underWay(): number {
    return this.#aborts.size;
  }

  mayChange(): boolean {
    return this.#clock.now() - this.#changedAt >= 1000;
  }

  /** Whether it differs from what was set. */
  set(settings: WebhookSettings): boolean {
    const isNew = JSON.stringify(settings) !== JSON.stringify(this.#settings);
    this.#settings = settings;
    this.#changedAt = this.#clock.now();
    if (isNew) this.#attempts.clear();
    this.#pump();
    return isNew;
  }

  remove(): boolean {
    const wasSet = this.#settings !== undefined;
    this.#settings = undefined;
    this.lastError = undefined;
    this.#attempts.clear();
    this.#stopAlarm();
    return wasSet;
  }

  stop(): void {
    this.remove();
    for (const abort of this.#aborts) abort.abort();
  }

  #pump(): void {
    if (this.#settings === undefined) return;
    const busy = new Set<unknown>();
    let nextWake = Number.POSITIVE_INFINITY;
    for (const { update } of this.#updates.all()) {
      const chat = chatOf(update);
      if (busy.has(chat)) continue;
      busy.add(chat);
      const attempt = this.#attemptOf(update);
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
    const failure = await this.#post(settings, update, abort.signal);
    stopTimer();
    this.#aborts.delete(abort);
    attempt.isUnderWay = false;
    if (this.#settings !== settings) return;
    if (failure === undefined) {
      this.#goneSince = undefined;
      this.#attempts.delete(update);
      this.#updates.drop(update);
    } else {
      this.#fail(attempt, failure);
    }
    this.#pump();
  }

  async #post(settings: WebhookSettings, update: Update, signal: AbortSignal): Promise<Failure | undefined> {
    try {
      const answer = await fetch(settings.url, {
        method: "POST",
        redirect: "manual",
        signal,
        headers: {
          "content-type": "application/json",
          ...(settings.secret === "" ? {} : { "x-telegram-bot-api-secret-token": settings.secret }),
        },
        body: JSON.stringify(update),
      });
      const body = await answer.text();
      if (answer.ok) {
        this.#reply(body);
        return undefined;
      }
      const asked = Number(answer.headers.get("retry-after") ?? 0) || 0;
      return {
        message: `Wrong response from the webhook: ${answer.status} ${answer.statusText}`,
        status: answer.status,
        retryAfterSeconds: Math.min(Math.max(asked, 0), MAX_RETRY_AFTER_SECONDS),
      };
    } catch {
      const message = signal.aborted ? "Read timeout expired" : "Connection refused";
      return { message, status: 0, retryAfterSeconds: 0 };
    }
  }

  #reply(body: string): void {
    try {
      const call: unknown = JSON.parse(body);
      if (typeof call === "object" && call !== null && "method" in call) {
        this.onReply(call as Record<string, unknown>);
      }
    } catch {
      // Most answers are no calls.
    }
  }

  #fail(attempt: Attempt, failure: Failure): void {
    const now = this.#clock.now();
    this.lastError = { at: now, message: failure.message };
    this.#goneSince = failure.status === 410 ? (this.#goneSince ?? now) : undefined;
    if (this.#goneSince !== undefined && now - this.#goneSince > GONE_CLOSES_AFTER_MS) {
      this.remove();
      return;
    }
    let waitSeconds = failure.retryAfterSeconds;
    if (waitSeconds === 0 && attempt.fails > 0) {
      attempt.delaySeconds = Math.min(attempt.delaySeconds * 2, MAX_DELAY_SECONDS);
      waitSeconds = attempt.delaySeconds;
    }
    attempt.fails += 1;
    attempt.wakeAt = now + waitSeconds * 1000;
  }

  #attemptOf(update: Update): Attempt {
    const attempt = this.#attempts.get(update) ?? {
      fails: 0,
      delaySeconds: 1,
      wakeAt: 0,
      isUnderWay: false,
    };
    this.#attempts.set(update, attempt);
    return attempt;
  }
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
