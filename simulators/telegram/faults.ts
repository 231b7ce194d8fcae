import type { TelegramClock } from "./clock.ts";
import { Refusal, tooManyRequests } from "./refusal.ts";

export interface Fault {
  /**
   * error: a given error · storm: 429 to every call for some time · html: a proxy's error page · reset: the connection breaks ·
   * drop: it breaks after the call took effect · slow: a late answer · hang: no answer · half: the call takes effect and the
   * answer breaks off · empty: 200 without a body · not-ok: `{"ok":false}`, or `body`.
   */
  readonly kind:
    | "error"
    | "storm"
    | "html"
    | "reset"
    | "drop"
    | "slow"
    | "hang"
    | "half"
    | "empty"
    | "not-ok";
  /** The method that fails; all but getUpdates by default. */
  readonly method?: string;
  readonly chatId?: number;
  /** Only calls whose text or caption contains it. */
  readonly text?: string;
  /** Only calls with this parameter. */
  readonly parameter?: string;
  /** How many calls fail; 1 by default, unless `forMs` is set. */
  readonly times?: number;
  readonly forMs?: number;
  /** For "slow". */
  readonly ms?: number;
  /** For "error", and the status of "html". */
  readonly errorCode?: number;
  readonly description?: string;
  readonly retryAfter?: number;
  readonly migrateTo?: number;
  /** Of a broken peer, for "not-ok". */
  readonly body?: string;
}

interface Waiting {
  readonly fault: Fault;
  readonly endsAt: number;
  left: number;
}

interface FaultyCall {
  readonly method: string;
  readonly chatId: number | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The active faults, in the order they were set. At most one applies to a call. */
export class Faults {
  readonly #clock: TelegramClock;
  #waiting: Waiting[] = [];

  constructor(clock: TelegramClock) {
    this.#clock = clock;
  }

  set(fault: Fault): void {
    const { forMs, times = forMs === undefined ? 1 : Number.POSITIVE_INFINITY } = fault;
    const endsAt = this.#clock.now() + (forMs ?? Number.POSITIVE_INFINITY);
    this.#waiting.push({ fault, endsAt, left: times });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The fault that applies to this call, and how long it continues. */
  take(call: FaultyCall): { fault: Fault; msLeft: number } | undefined {
    const now = this.#clock.now();
    this.#waiting = this.#waiting.filter(({ left, endsAt }) => left > 0 && endsAt > now);
    const found = this.#waiting.find(({ fault }) => fits(fault, call));
    if (found === undefined) return undefined;
    found.left -= 1;
    return { fault: found.fault, msLeft: found.endsAt - now };
  }
}

function fits(fault: Fault, { method, chatId, parameters }: FaultyCall): boolean {
  const isMeant = fault.method === undefined ? method !== "getUpdates" : fault.method === method;
  const isOfChat = fault.chatId === undefined || fault.chatId === chatId;
  const text = String(parameters.text ?? parameters.caption ?? "");
  const hasText = fault.text === undefined || text.includes(fault.text);
  return isMeant && isOfChat && hasText && (fault.parameter === undefined || fault.parameter in parameters);
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  403: "Forbidden: bot was blocked by the user",
  429: "Too Many Requests",
  500: "Internal Server Error: restart",
};

/** The error of a fault, if it is a refusal. */
export function faultRefusal(fault: Fault, msLeft: number): Refusal | undefined {
  const { kind, errorCode = 500, description, retryAfter, migrateTo } = fault;
  if (kind === "storm") return tooManyRequests(Math.max(1, Math.ceil(msLeft / 1000)));
  if (kind !== "error") return undefined;
  if (description === undefined && retryAfter !== undefined) return tooManyRequests(retryAfter);
  const parameters = {
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    ...(migrateTo !== undefined && { migrate_to_chat_id: migrateTo }),
  };
  const words = description ?? DESCRIPTIONS[errorCode] ?? "Bad Request";
  return new Refusal(errorCode, words, Object.keys(parameters).length > 0 ? parameters : undefined);
}
