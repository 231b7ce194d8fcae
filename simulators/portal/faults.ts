import { gzipSync } from "node:zlib";

export const FAULTS = [
  "slow",
  "hang",
  "down",
  "captcha",
  "truncated",
  "wrong-json",
  "gzip-bomb",
  "price-as-string",
  "missing-id",
  "empty",
  "rate-limited",
  "quota-spent",
  "unauthorized",
  "forbidden",
  "server-error",
  "bad-gateway",
  "redirect",
] as const;
export const APIS = ["token", "search", "by-url"] as const;
export type FaultName = (typeof FAULTS)[number];
export type Api = (typeof APIS)[number];

export interface Fault {
  readonly fault: FaultName;
  /** The affected API; all but token requests by default. */
  readonly on?: readonly Api[] | undefined;
  /** The number of affected answers; until cleared by default. */
  readonly times?: number | undefined;
  /** For "slow". */
  readonly ms?: number | undefined;
  /** For faults inside the list: one element or all of them. */
  readonly elements?: "one" | "all" | undefined;
}

/** The active faults, in the order they were set. */
export class Faults {
  #waiting: (Fault & { times: number })[] = [];

  set(fault: Fault): void {
    this.#waiting.push({ ...fault, times: fault.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#waiting = [];
  }

  get list(): readonly Fault[] {
    return this.#waiting;
  }

  /** The faults that apply to this request. Each counts one answer. */
  strike(api: Api): Fault[] {
    const struck = this.#waiting.filter(({ on }) => (on ?? ["search", "by-url"]).includes(api));
    for (const fault of struck) {
      fault.times -= 1;
    }
    this.#waiting = this.#waiting.filter(({ times }) => times > 0);
    return struck;
  }
}

type Element = Record<string, unknown>;

/** Corrupts the list in an answer, in ways seen at portals. */
export function spoil(body: unknown, { fault, elements }: Fault): void {
  const envelope = body as { elementList?: Element[]; data?: { listings?: Element[] } };
  const list = envelope.elementList ?? envelope.data?.listings ?? [];
  for (const element of elements === "all" ? list : list.slice(0, 1)) {
    if (fault === "price-as-string") {
      element.price = `${element.price} €`;
    } else if (fault === "missing-id") {
      delete element.propertyCode;
    }
  }
  if (fault === "empty") {
    list.length = 0;
    Object.assign(envelope.data ?? envelope, { total: 0, ...(envelope.data ? {} : { totalPages: 0 }) });
  }
}

/** A few hundred kilobytes that decompress to 256 MB of spaces. */
export function gzipBomb(): Buffer {
  const member = gzipSync(Buffer.alloc(1024 * 1024, 0x20));
  return Buffer.concat(Array.from({ length: 256 }, () => member));
}
