/** The state of the page of finds in its address, so that Back works and links can be shared. */
import { FIND_ORDERS, FIND_STATES, type FindFilter } from "#core/finds/find.ts";

export const FINDS_VIEWS = ["list", "map", "market", "settings"] as const;
export type FindsView = (typeof FINDS_VIEWS)[number];

export interface FindAddress {
  readonly view: FindsView;
  readonly filter: FindFilter;
  readonly home: string | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PLACE_ID = /^[\w-]{1,64}$/;
const PRICE = /^[1-9]\d{0,8}$/;
const LONGEST_ID = 64;

/** Invalid parts are ignored: an old or mistyped link shows more, never an error. */
export function readAddress(params: URLSearchParams): FindAddress {
  const one = (name: string, pattern: RegExp) => {
    const value = params.get(name);
    return value !== null && pattern.test(value) ? value : undefined;
  };
  const searchId = one("search", UUID);
  const state = FIND_STATES.find((each) => each === params.get("state"));
  const zone = one("zone", PLACE_ID);
  const min = one("min", PRICE);
  const max = one("max", PRICE);
  const order = FIND_ORDERS.find((each) => each === params.get("order"));
  const home = params.get("home");
  return {
    view: FINDS_VIEWS.find((each) => each === params.get("view")) ?? "list",
    filter: {
      ...(searchId ? { searchId } : {}),
      ...(state ? { state } : {}),
      ...(zone ? { zone } : {}),
      ...(min ? { minPriceEur: Number(min) } : {}),
      ...(max ? { maxPriceEur: Number(max) } : {}),
      ...(order && order !== "newest" ? { order } : {}),
    },
    home: home !== null && home.length > 0 && home.length <= LONGEST_ID ? home : null,
  };
}

export type AddressPart = "view" | "search" | "state" | "zone" | "min" | "max" | "order" | "home";

/** The query with some parts changed; null removes a part. */
export function withParts(
  params: URLSearchParams,
  parts: Partial<Record<AddressPart, string | null>>,
): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(parts)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  const search = next.toString();
  return search === "" ? "" : `?${search}`;
}

/** Whether anything but the order is set. */
export function isFiltered({ order: _, ...filter }: FindFilter): boolean {
  return Object.keys(filter).length > 0;
}
