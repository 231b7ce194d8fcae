/** What the official search API can be asked to filter by, where its answers do not say it themselves. */
import type { Feature, Kind, PublishedWithin, Search } from "./search.ts";

export interface RequestFilter {
  readonly parameter: string;
  readonly value: string;
}

type Offer = RequestFilter & { readonly kinds: readonly Kind[] };

/** The kinds of property the official API lists. */
export const OFFICIAL_KINDS: readonly Kind[] = ["homes", "rooms", "offices", "premises", "garages"];

const HOMES: readonly Kind[] = ["homes"];
const OFFERS: Readonly<Partial<Record<Feature, Offer>>> = {
  lift: offer("elevator", "true", ["homes", "offices"]),
  exterior: offer("exterior", "true", ["homes", "offices"]),
  garage: offer("garage", "true", ["homes", "offices"]),
  // The parameter's name is misspelt in the API itself; "terrace" is ignored there.
  terrace: offer("terrance", "true", HOMES),
  "swimming-pool": offer("swimmingPool", "true", HOMES),
  "air-conditioning": offer("airConditioning", "true", ["homes", "offices", "premises"]),
  "storage-room": offer("storeRoom", "true", HOMES),
  "built-in-wardrobes": offer("builtinWardrobes", "true", HOMES),
  "bank-owned": offer("bankOffer", "true", ["homes", "offices", "premises", "garages"]),
  "non-smoking": offer("smokePolicy", "disallowed", ["rooms"]),
  industrial: offer("buildingTypes", "industrialBuilding", ["premises"]),
  "street-level": offer("location", "street", ["premises"]),
};

/** Features the answers state, at least for most listings: asking for them would only split requests. */
const STATED_IN_ANSWERS: readonly Feature[] = ["lift", "exterior", "garage", "non-smoking", "industrial"];

export function featureFilter(feature: Feature, search: Search): RequestFilter | undefined {
  const found = OFFERS[feature];
  if (!found?.kinds.includes(search.kind)) return undefined;
  if (feature === "bank-owned" && search.operation === "rent") return undefined;
  return { parameter: found.parameter, value: found.value };
}

export function furnishingFilter(search: Search): RequestFilter | undefined {
  if (search.furnishing === null || search.kind !== "homes") return undefined;
  return {
    parameter: "furnished",
    value: search.furnishing === "furnished" ? "furnished" : "furnishedKitchen",
  };
}

/** The narrowest look-back on offer that holds the one asked for: T for rent, Y for sale and rooms. */
export function sinceFilter(search: Search): RequestFilter | undefined {
  if (search.publishedWithin === null) return undefined;
  const isRentOfProperty = search.operation === "rent" && search.kind !== "rooms";
  const values: Readonly<Record<PublishedWithin, string>> = {
    "24-hours": isRentOfProperty ? "T" : "Y",
    "48-hours": isRentOfProperty ? "W" : "Y",
    week: "W",
    month: "M",
  };
  return { parameter: "sinceDate", value: values[search.publishedWithin] };
}

/**
 * The filters a request must carry because no answer states them. Searches that differ here cannot share a
 * request; all else about a search can be decided on a broader answer.
 */
export function requestOnlyFilters(search: Search): RequestFilter[] {
  const features = search.features
    .filter((feature) => !STATED_IN_ANSWERS.includes(feature))
    .map((feature) => featureFilter(feature, search));
  return [...features, furnishingFilter(search)].filter((filter) => filter !== undefined);
}

const LOOK_BACK_ORDER = "TYWM";

/** Whether an answer to a request with the one filter is sure to satisfy the other. */
export function settles(sent: RequestFilter, wanted: RequestFilter): boolean {
  if (sent.parameter !== wanted.parameter) return false;
  if (sent.parameter === "sinceDate") {
    return LOOK_BACK_ORDER.indexOf(sent.value) <= LOOK_BACK_ORDER.indexOf(wanted.value);
  }
  if (sent.parameter === "locationId") return `${sent.value}-`.startsWith(`${wanted.value}-`);
  return sent.value === wanted.value;
}

function offer(parameter: string, value: string, kinds: readonly Kind[]): Offer {
  return { parameter, value, kinds };
}
