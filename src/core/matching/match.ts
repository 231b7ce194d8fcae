/**
 * Whether a listing is what a search asks for: yes, no, or cannot be told from the listing, and then by whom.
 * Limits are inclusive, as on the portal.
 */
import { type DrawnArea, drawnAreaOf, HIDDEN_ADDRESS_TOLERANCE_M, positionIn } from "../geo/drawn-area.ts";
import type { Listing } from "../listing/listing.ts";
import { furnishingFilter, type RequestFilter, sinceFilter } from "../search/official-request.ts";
import type { Condition, Search } from "../search/search.ts";
import { factsOf, type ListingFacts } from "./listing-facts.ts";
import { admitsOpinion, claim, featureOpinion, floorOpinion, homeTypeOpinion } from "./match-home.ts";
import { placeOpinion, unlistedPlaceOpinion } from "./match-place.ts";
import { anyOf, type Opinion, type Part, type Undecided, undecided, type Verdict, YES } from "./verdict.ts";

/** One part's opinion; undefined where the search leaves the part free. */
type Check = (search: Search, facts: ListingFacts) => Opinion | undefined;

const CONDITION_FILTERS: Readonly<Record<Condition, RequestFilter>> = {
  new: { parameter: "newDevelopment", value: "true" },
  good: { parameter: "preservation", value: "good" },
  renew: { parameter: "preservation", value: "renew" },
};

/** Cheapest and likeliest to refuse first. */
const CHECKS: readonly (readonly [Part, Check])[] = [
  ["operation", (search, { listing }) => claim(search.operation === listing.operation)],
  ["kind", (search, { listing }) => claim(search.kind === listing.kind)],
  ["minPriceEur", ({ minPriceEur }, { listing }) => atLeast(minPriceEur, listing.priceEur, "minPriceEur")],
  ["maxPriceEur", ({ maxPriceEur }, { listing }) => atMost(maxPriceEur, listing.priceEur, "maxPriceEur")],
  ["minAreaM2", ({ minAreaM2 }, { listing }) => atLeast(minAreaM2, listing.areaM2, "minAreaM2")],
  ["maxAreaM2", ({ maxAreaM2 }, { listing }) => atMost(maxAreaM2, listing.areaM2, "maxAreaM2")],
  ["bedrooms", bedroomsOpinion],
  ["bathrooms", bathroomsOpinion],
  ["where", whereOpinion],
  [
    "homeTypes",
    ({ homeTypes }, facts) =>
      ifAny(homeTypes, () => anyOf(homeTypes, (type) => homeTypeOpinion(type, facts))),
  ],
  ["conditions", conditionOpinion],
  ["floors", ({ floors }, facts) => ifAny(floors, () => floorOpinion(floors, facts))],
  ["admits", ({ admits }, facts) => ifAny(admits, () => anyOf(admits, (one) => admitsOpinion(one, facts)))],
];

const SILENT = [
  "flatmates",
  "saleSituations",
  "rentalTypes",
  "energyClasses",
  "landClasses",
  "unknownTokens",
] as const;

export function matches(search: Search, listing: Listing): Verdict {
  return judge(search, factsOf(listing));
}

/** As `matches`, for a listing whose facts were derived before. */
export function judge(search: Search, facts: ListingFacts): Verdict {
  const open: Undecided[] = [];
  for (const [part, check] of CHECKS) {
    const opinion = check(search, facts);
    if (opinion === "no") return { answer: "no", because: part };
    if (typeof opinion === "object") open.push(opinion);
  }
  for (const feature of search.features) {
    const opinion = featureOpinion(feature, search, facts);
    if (opinion === "no") return { answer: "no", because: "features" };
    if (opinion !== "yes") open.push(opinion);
  }
  open.push(...alwaysUndecided(search));
  return open.length > 0 ? { answer: "cannot-tell", undecided: open } : YES;
}

/** Whether nothing refuses the listing but perhaps its place, price, size, bedrooms, type or features. */
export function mayMatch(search: Search, facts: ListingFacts): boolean {
  const { floors, admits } = search;
  return !(
    bathroomsOpinion(search, facts) === "no" ||
    conditionOpinion(search, facts) === "no" ||
    ifAny(floors, () => floorOpinion(floors, facts)) === "no" ||
    ifAny(admits, () => anyOf(admits, (one) => admitsOpinion(one, facts))) === "no"
  );
}

/** What is open whatever the listing, because no answer speaks of it. */
function alwaysUndecided(search: Search): Undecided[] {
  const open: Undecided[] = [];
  if (search.furnishing) open.push(undecided("furnishing", furnishingFilter(search)));
  if (search.publishedWithin) open.push(undecided("publishedWithin", sinceFilter(search)));
  for (const part of SILENT) {
    if (search[part].length > 0) open.push(undecided(part));
  }
  return open;
}

export function whereOpinion({ where }: Search, facts: ListingFacts): Opinion {
  switch (where.type) {
    case "place":
      return placeOpinion(where.placeId, facts);
    case "unlisted-place":
      return unlistedPlaceOpinion(where.path, facts);
    case "drawn":
      return drawnOpinion(drawnAreaOf(where.rings), facts.listing);
    default:
      return undecided("where");
  }
}

export function drawnOpinion(area: DrawnArea, listing: Listing): Opinion {
  const { latitude, longitude, isAddressShown } = listing;
  if (latitude === null || longitude === null) return undecided("where");
  const tolerance = isAddressShown ? 0 : HIDDEN_ADDRESS_TOLERANCE_M;
  const position = positionIn(area, { latitude, longitude }, tolerance);
  return position === "near-border" ? undecided("where") : claim(position === "inside");
}

const LIMIT_PARAMETERS = {
  minPriceEur: "minPrice",
  maxPriceEur: "maxPrice",
  minAreaM2: "minSize",
  maxAreaM2: "maxSize",
} as const;

function atLeast(
  limit: number | null,
  value: number | null,
  part: keyof typeof LIMIT_PARAMETERS,
): Opinion | undefined {
  if (limit === null) return undefined;
  return value === null ? missing(limit, part) : claim(value >= limit);
}

function atMost(
  limit: number | null,
  value: number | null,
  part: keyof typeof LIMIT_PARAMETERS,
): Opinion | undefined {
  if (limit === null) return undefined;
  return value === null ? missing(limit, part) : claim(value <= limit);
}

function missing(limit: number, part: keyof typeof LIMIT_PARAMETERS): Undecided {
  return undecided(part, { parameter: LIMIT_PARAMETERS[part], value: String(limit) });
}

function bedroomsOpinion({ bedrooms }: Search, { bedroomBits, listing }: ListingFacts): Opinion | undefined {
  if (bedrooms.length === 0) return undefined;
  if (bedrooms.some((count) => bedroomBits & (1 << count))) return "yes";
  if (listing.rooms !== null) return "no";
  return undecided("bedrooms", { parameter: "bedrooms", value: bedrooms.join(",") });
}

function bathroomsOpinion({ bathrooms }: Search, { listing }: ListingFacts): Opinion | undefined {
  if (bathrooms.length === 0) return undefined;
  if (listing.bathrooms === null) {
    return undecided("bathrooms", { parameter: "bathrooms", value: bathrooms.join(",") });
  }
  const count = Math.min(listing.bathrooms, 3);
  return claim(bathrooms.some((wanted) => wanted === count));
}

function conditionOpinion({ conditions }: Search, { listing }: ListingFacts): Opinion | undefined {
  const [first, second] = conditions;
  if (first === undefined) return undefined;
  if (listing.condition !== null) return claim(conditions.includes(listing.condition));
  // The API takes one condition a request: two together only the portal itself can filter by.
  return undecided("conditions", second === undefined ? CONDITION_FILTERS[first] : undefined);
}

function ifAny(wishes: readonly unknown[], opinion: () => Opinion): Opinion | undefined {
  return wishes.length > 0 ? opinion() : undefined;
}
