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
  /** Which requests it strikes; all but token requests unless told. */
  readonly on?: readonly Api[] | undefined;
  /** How many answers it strikes; until cleared unless told. */
  readonly times?: number | undefined;
  /** For "slow". */
  readonly ms?: number | undefined;
  /** For faults inside the list: one element or all of them. */
  readonly elements?: "one" | "all" | undefined;
}

/** The faults waiting to strike, first set first. */
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

  /** All that strike this request; each counts one answer. */
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

/** Spoils the list in a good answer's body, in the ways portals are known to. */
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

/** Some hundred kilobytes that unpack to a quarter of a gigabyte of blanks. */
export function gzipBomb(): Buffer {
  const member = gzipSync(Buffer.alloc(1024 * 1024, 0x20));
  return Buffer.concat(Array.from({ length: 256 }, () => member));
}
