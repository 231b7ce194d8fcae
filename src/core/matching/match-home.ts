import type { Feature, FloorBand, HomeType, Search, Tenant } from "../search/search.ts";
import type { ListingFacts } from "./listing-facts.ts";

export type Answer = "yes" | "no" | "cannot-tell";

const HOUSE_SUBTYPES: Readonly<Partial<Record<HomeType, string>>> = {
  "detached-house": "independantHouse",
  "semi-detached-house": "semidetachedHouse",
  "terraced-house": "terracedHouse",
};
/** Labels that the portal gives to some listings. A missing label proves nothing. */
export const TYPE_LABELS: Readonly<Partial<Record<HomeType, string>>> = {
  apartment: "apartamentoType",
  villa: "villaType",
  loft: "loftType",
};
const NOT_PLAIN = ["penthouse", "duplex"];

export function homeTypeAnswer(type: HomeType, { listing }: ListingFacts): Answer {
  const { typology, subTypology } = listing;
  const label = TYPE_LABELS[type];
  if (label) return listing.labels.includes(label) ? "yes" : "cannot-tell";
  const subtype = HOUSE_SUBTYPES[type];
  if (subtype) {
    if (typology !== "chalet") return "no";
    if (subTypology === null) return "cannot-tell";
    return claim(subTypology === subtype);
  }
  switch (type) {
    case "flat":
      return claim(typology === "flat");
    case "plain-flat":
      return claim(typology === "flat" && !NOT_PLAIN.includes(subTypology ?? ""));
    case "house":
      return claim(typology === "chalet");
    case "country-house":
      return claim(typology === "countryHouse");
    default:
      return claim(subTypology === type);
  }
}

/** Listings state a floor but not the height of the building, so top and middle can only be decided together. */
export function floorAnswer(bands: readonly FloorBand[], facts: ListingFacts): Answer {
  const isPenthouse = facts.listing.subTypology === "penthouse";
  if (facts.floorBand === "unclear" && !isPenthouse) return "cannot-tell";
  if (facts.floorBand === "ground" && !isPenthouse) return claim(bands.includes("ground"));
  if (bands.includes("top") && (bands.includes("middle") || isPenthouse)) return "yes";
  if (isPenthouse || (!bands.includes("top") && !bands.includes("middle"))) return "no";
  return "cannot-tell";
}

export function featureAnswer(feature: Feature, search: Search, facts: ListingFacts): Answer {
  return statedIn(facts, feature, search) ?? "cannot-tell";
}

/** What the listing states about a feature; undefined if nothing. */
function statedIn({ listing }: ListingFacts, feature: Feature, search: Search): Answer | undefined {
  const amenity = listing.amenities[feature];
  if (amenity !== undefined) return claim(amenity);
  switch (feature) {
    case "lift":
      return claimIfKnown(listing.hasLift);
    case "exterior":
      return claimIfKnown(listing.isExterior);
    case "garage":
      return listing.parking || search.kind === "homes" ? claim(listing.parking !== null) : undefined;
    case "balcony-or-terrace":
      return listing.amenities.terrace || listing.amenities.balcony ? "yes" : undefined;
    case "luxury":
      return listing.labels.includes("luxuryType") ? "yes" : undefined;
    case "floor-plan":
      return claim(listing.hasPlan);
    case "non-smoking":
      return claimIfKnown(listing.sharing?.isSmokingAllowed ?? null, false);
    case "industrial":
      return listing.subTypology === null ? undefined : claim(listing.subTypology === "industrialPremise");
    default:
      return undefined;
  }
}

/** Mixed flats also admit women. */
export function admitsAnswer(tenant: Tenant, { listing }: ListingFacts): Answer {
  const accepted = tenant === "woman" ? "female" : "male";
  const gender = listing.sharing?.tenantGender ?? null;
  return gender === null ? "cannot-tell" : claim(gender === "mixed" || gender === accepted);
}

export function claim(isSo: boolean): Answer {
  return isSo ? "yes" : "no";
}

/** One of several alternatives is enough; an empty list matches everything. */
export function anyOf<Wish>(wishes: readonly Wish[], answerTo: (wish: Wish) => Answer): Answer {
  let answer: Answer = wishes.length === 0 ? "yes" : "no";
  for (const wish of wishes) {
    const own = answerTo(wish);
    if (own === "yes") return "yes";
    if (own === "cannot-tell") answer = own;
  }
  return answer;
}

function claimIfKnown(value: boolean | null, wanted = true): Answer | undefined {
  return value === null ? undefined : claim(value === wanted);
}
