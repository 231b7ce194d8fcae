import type { Clock } from "./market/clock.ts";

interface LimitSettings {
  /** 0 switches the rate limit off. */
  requestsPerSecond: number;
  /** null switches the quota off. */
  monthlyRequests: number | null;
}

type Admission = "admitted" | "too-fast" | "quota-spent";

/** A gateway's two limits for one customer: spike arrest and the monthly quota. */
export class Limits {
  readonly settings: LimitSettings;
  #clock: Clock;
  #lastAt = Number.NEGATIVE_INFINITY;
  #month = "";
  #used = 0;

  constructor(clock: Clock, settings: LimitSettings) {
    this.#clock = clock;
    this.settings = { ...settings };
  }

  get usedThisMonth(): number {
    this.#turnMonth();
    return this.#used;
  }

  get msToNextMonth(): number {
    const now = new Date(this.#clock.now());
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime();
  }

  admit(): Admission {
    this.#turnMonth();
    const now = this.#clock.now();
    const { requestsPerSecond, monthlyRequests } = this.settings;
    if (monthlyRequests !== null && this.#used >= monthlyRequests) {
      return "quota-spent";
    }
    if (requestsPerSecond > 0 && now - this.#lastAt < 1000 / requestsPerSecond) {
      return "too-fast";
    }
    this.#lastAt = now;
    this.#used += 1;
    return "admitted";
  }

  #turnMonth(): void {
    const month = new Date(this.#clock.now()).toISOString().slice(0, 7);
    if (month !== this.#month) {
      this.#month = month;
      this.#used = 0;
    }
  }
}
