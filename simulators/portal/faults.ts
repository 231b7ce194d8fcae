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
  readonly on?: readonly Api[];
  /** How many answers it strikes; until cleared unless told. */
  readonly times?: number;
  /** For "slow". */
  readonly ms?: number;
  /** For faults inside the list: one element or all of them. */
  readonly elements?: "one" | "all";
}

/** The faults waiting to strike, first set first. */
export class Faults {
  #waiting: { fault: Fault; left: number }[] = [];

  set(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#waiting = [];
  }

  get list(): Fault[] {
    return this.#waiting.map(({ fault, left }) =>
      Number.isFinite(left) ? { ...fault, times: left } : fault,
    );
  }

  /** All that strike this request; each counts one answer. */
  strike(api: Api): Fault[] {
    const struck = this.#waiting.filter(({ fault }) => (fault.on ?? ["search", "by-url"]).includes(api));
    for (const entry of struck) {
      entry.left -= 1;
    }
    this.#waiting = this.#waiting.filter(({ left }) => left > 0);
    return struck.map(({ fault }) => fault);
  }
}

export const CAPTCHA_PAGE =
  "<!doctype html><html><head><title>Please verify</title></head><body><h1>Are you a robot?</h1><div id='captcha'></div></body></html>";

/** Spoils a good answer's list in the ways portals are known to. */
export function spoil(body: unknown, fault: Fault): unknown {
  const copy: unknown = structuredClone(body);
  const list = listOf(copy);
  if (list === undefined) {
    return copy;
  }
  const struck = fault.elements === "all" ? list : list.slice(0, 1);
  switch (fault.fault) {
    case "price-as-string":
      for (const element of struck) {
        element.price = `${element.price} €`;
      }
      break;
    case "missing-id":
      for (const element of struck) {
        delete element.propertyCode;
      }
      break;
    case "empty":
      emptyOut(copy, list);
      break;
    default:
  }
  return copy;
}

/** Some hundred kilobytes that unpack to a quarter of a gigabyte of blanks. */
export function gzipBomb(): Buffer {
  const member = gzipSync(Buffer.alloc(1024 * 1024, 0x20));
  return Buffer.concat(Array.from({ length: 256 }, () => member));
}

type Element = Record<string, unknown>;

function listOf(body: unknown): Element[] | undefined {
  const envelope = body as { elementList?: Element[]; data?: { listings?: Element[] } };
  return envelope.elementList ?? envelope.data?.listings;
}

function emptyOut(body: unknown, list: Element[]): void {
  list.length = 0;
  const envelope = body as { total?: number; totalPages?: number; data?: { total: number } };
  if (envelope.data !== undefined) {
    envelope.data.total = 0;
  } else {
    envelope.total = 0;
    envelope.totalPages = 0;
  }
}
