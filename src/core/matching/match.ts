/** Decides whether a listing matches a search: yes, no, or unknown from the listing's data. Limits are inclusive, as on the portal. */
import { type DrawnArea, drawnAreaOf, HIDDEN_ADDRESS_TOLERANCE_M, positionIn } from "../geo/drawn-area.ts";
import type { Listing } from "../listing/listing.ts";
import type { Search } from "../search/search.ts";
import type { ListingFacts } from "./listing-facts.ts";
import {
  type Answer,
  admitsAnswer,
  anyOf,
  claim,
  featureAnswer,
  floorAnswer,
  homeTypeAnswer,
} from "./match-home.ts";
import { placeAnswer, unlistedPlaceAnswer } from "./match-place.ts";

/** The answer for one part of the search; yes if the search has no wish there. */
type Check = (search: Search, facts: ListingFacts) => Answer;

const conditionAnswer: Check = ({ conditions }, { listing }) => {
  if (conditions.length === 0) return "yes";
  return listing.condition === null ? "cannot-tell" : claim(conditions.includes(listing.condition));
};

/** Parts that the filter index does not express in numbers and bits. */
const RARE_CHECKS: readonly Check[] = [
  conditionAnswer,
  ({ floors }, facts) => (floors.length === 0 ? "yes" : floorAnswer(floors, facts)),
  ({ admits }, facts) => anyOf(admits, (tenant) => admitsAnswer(tenant, facts)),
];

/** Cheap checks and those most likely to say no come first. */
const CHECKS: readonly Check[] = [
  (search, { listing }) => claim(search.operation === listing.operation && search.kind === listing.kind),
  (search, { listing }) => withinAnswer(listing.priceEur, search.minPriceEur, search.maxPriceEur),
  (search, { listing }) => withinAnswer(listing.areaM2, search.minAreaM2, search.maxAreaM2),
  bedroomsAnswer,
  (search, { listing }) => bathroomsAnswer(search.bathrooms, listing),
  whereAnswer,
  ({ homeTypes }, facts) => anyOf(homeTypes, (type) => homeTypeAnswer(type, facts)),
  ...RARE_CHECKS,
  (search, facts) => allOf(search.features, (feature) => featureAnswer(feature, search, facts)),
  (search) => (hasUndecidableWish(search) ? "cannot-tell" : "yes"),
];

export function matches(search: Search, facts: ListingFacts): Answer {
  return allOf(CHECKS, (check) => check(search, facts));
}

/** Whether the checks that the filter index does not do itself allow the listing. */
export function mayMatch(search: Search, facts: ListingFacts): boolean {
  return RARE_CHECKS.every((check) => check(search, facts) !== "no");
}

function allOf<Wish>(wishes: readonly Wish[], answerTo: (wish: Wish) => Answer): Answer {
  let answer: Answer = "yes";
  for (const wish of wishes) {
    const own = answerTo(wish);
    if (own === "no") return "no";
    if (own === "cannot-tell") answer = own;
  }
  return answer;
}

export const UNSTATED_PARTS = [
  "saleSituations",
  "rentalTypes",
  "energyClasses",
  "landClasses",
  "flatmates",
] as const;

function hasUndecidableWish(search: Search): boolean {
  return (
    search.furnishing !== null ||
    search.publishedWithin !== null ||
    [...UNSTATED_PARTS, "unknownTokens" as const].some((part) => search[part].length > 0)
  );
}

export function whereAnswer({ where }: Search, facts: ListingFacts): Answer {
  switch (where.type) {
    case "place":
      return placeAnswer(where.placeId, facts);
    case "unlisted-place":
      return unlistedPlaceAnswer(where.path, facts);
    case "drawn":
      return drawnAnswer(drawnAreaOf(where.rings), facts.listing);
    default:
      return "cannot-tell";
  }
}

export function drawnAnswer(area: DrawnArea, listing: Listing): Answer {
  const { latitude, longitude, isAddressShown } = listing;
  if (latitude === null || longitude === null) return "cannot-tell";
  const tolerance = isAddressShown ? 0 : HIDDEN_ADDRESS_TOLERANCE_M;
  const position = positionIn(area, { latitude, longitude }, tolerance);
  return position === "near-border" ? "cannot-tell" : claim(position === "inside");
}

/** Sources write zero for a price or size that the advert does not state. */
function withinAnswer(value: number | null, least: number | null, greatest: number | null): Answer {
  if (least === null && greatest === null) return "yes";
  if (value === null || value <= 0) return "cannot-tell";
  return claim((least === null || value >= least) && (greatest === null || value <= greatest));
}

function bedroomsAnswer({ bedrooms }: Search, { bedroomBits, listing }: ListingFacts): Answer {
  if (bedrooms.length === 0 || bedrooms.some((count) => bedroomBits & (1 << count))) return "yes";
  return listing.rooms === null ? "cannot-tell" : "no";
}

export function bathroomsAnswer(wanted: Search["bathrooms"], { bathrooms }: Listing): Answer {
  if (wanted.length === 0) return "yes";
  if (bathrooms === null) return "cannot-tell";
  return claim(wanted.some((count) => count === Math.min(bathrooms, 3)));
}
