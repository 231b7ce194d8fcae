import type { TelegramClock } from "./clock.ts";

/**
 * error: a refusal of your own words · storm: 429 to everything, for as long as it lasts · html: a proxy's
 * page · reset: the connection breaks · drop: it breaks after the call took effect · slow · hang: no answer
 * ever · half: the answer breaks off · empty: 200 and nothing · not-ok: `{"ok":false}` and no more.
 */
export const FAULT_KINDS = [
  "error",
  "storm",
  "html",
  "reset",
  "drop",
  "slow",
  "hang",
  "half",
  "empty",
  "not-ok",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** Which method it strikes; all unless told, but getUpdates only when named. */
  readonly method?: string;
  readonly chatId?: number;
  /** How many calls it strikes; 1 unless told or `forMs` is. */
  readonly times?: number;
  /** How long it strikes. */
  readonly forMs?: number;
  /** Lets this many fitting calls through first. */
  readonly after?: number;
  /** For "slow". */
  readonly ms?: number;
  /** For "error", and the status of "html". */
  readonly errorCode?: number;
  readonly description?: string;
  readonly retryAfter?: number;
  readonly migrateToChatId?: number;
  /** Whether the call takes effect before the answer goes wrong; so for "drop" and "half" unless told. */
  readonly isApplied?: boolean;
}

export interface StruckFault {
  readonly fault: Fault;
  /** How long it will go on; endless where it is counted. */
  readonly msLeft: number;
}

interface Waiting {
  readonly fault: Fault;
  readonly endsAt: number;
  left: number;
  toSkip: number;
}

/** What is about to go wrong, first set first; one fault strikes a call. */
export class Faults {
  readonly #clock: TelegramClock;
  #waiting: Waiting[] = [];

  constructor(clock: TelegramClock) {
    this.#clock = clock;
  }

  set(fault: Fault): void {
    const isForATime = fault.forMs !== undefined;
    this.#waiting.push({
      fault,
      endsAt: isForATime ? this.#clock.now() + (fault.forMs ?? 0) : Number.POSITIVE_INFINITY,
      left: fault.times ?? (isForATime ? Number.POSITIVE_INFINITY : 1),
      toSkip: fault.after ?? 0,
    });
  }

  clear(): void {
    this.#waiting = [];
  }

  get list(): readonly Fault[] {
    this.#forgetPast();
    return this.#waiting.map(({ fault, left }) =>
      Number.isFinite(left) ? { ...fault, times: left } : fault,
    );
  }

  strike(method: string, chatId: number | undefined): StruckFault | undefined {
    this.#forgetPast();
    const waiting = this.#waiting.find((entry) => fits(entry.fault, method, chatId) && !skips(entry));
    if (waiting === undefined) return undefined;
    waiting.left -= 1;
    return { fault: waiting.fault, msLeft: waiting.endsAt - this.#clock.now() };
  }

  #forgetPast(): void {
    const now = this.#clock.now();
    this.#waiting = this.#waiting.filter(({ left, endsAt }) => left > 0 && endsAt > now);
  }
}

export function isApplied({ kind, isApplied: told }: Fault): boolean {
  return told ?? (kind === "drop" || kind === "half");
}

function fits(fault: Fault, method: string, chatId: number | undefined): boolean {
  const isMeant =
    fault.method === undefined ? method !== "getupdates" : fault.method.toLowerCase() === method;
  return isMeant && (fault.chatId === undefined || fault.chatId === chatId);
}

function skips(entry: Waiting): boolean {
  entry.toSkip -= 1;
  return entry.toSkip >= 0;
}
