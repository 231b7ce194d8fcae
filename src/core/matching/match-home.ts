import { featureFilter } from "../search/official-request.ts";
import type { Feature, FloorBand, HomeType, Search, Tenant } from "../search/search.ts";
import type { ListingFacts } from "./listing-facts.ts";
import { type Opinion, undecided } from "./verdict.ts";

const HOUSE_SUBTYPES: Readonly<Partial<Record<HomeType, string>>> = {
  "detached-house": "independantHouse",
  "semi-detached-house": "semidetachedHouse",
  "terraced-house": "terracedHouse",
};
/** Labels the portal gives some listings: having one proves, lacking it proves nothing. */
const TYPE_LABELS: Readonly<Partial<Record<HomeType, string>>> = {
  apartment: "apartamentoType",
  villa: "villaType",
  loft: "loftType",
};
const NOT_PLAIN = ["penthouse", "duplex"];

export function homeTypeOpinion(type: HomeType, { listing }: ListingFacts): Opinion {
  const { typology, subTypology } = listing;
  const label = TYPE_LABELS[type];
  if (label) return listing.labels.includes(label) ? "yes" : undecided("homeTypes");
  const subtype = HOUSE_SUBTYPES[type];
  if (subtype) {
    if (typology !== "chalet") return "no";
    if (subTypology === null) return undecided("homeTypes", { parameter: "subTypology", value: subtype });
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

/** Answers give a floor but not the height of the building: top and middle can only be told together. */
export function floorOpinion(bands: readonly FloorBand[], facts: ListingFacts): Opinion {
  const isPenthouse = facts.listing.subTypology === "penthouse";
  if (facts.floorBand === "unclear" && !isPenthouse) return undecided("floors");
  if (facts.floorBand === "ground" && !isPenthouse) return claim(bands.includes("ground"));
  if (bands.includes("top") && (bands.includes("middle") || isPenthouse)) return "yes";
  if (isPenthouse || (!bands.includes("top") && !bands.includes("middle"))) return "no";
  return undecided("floors");
}

export function featureOpinion(feature: Feature, search: Search, facts: ListingFacts): Opinion {
  return stated(feature, search, facts) ?? undecided("features", featureFilter(feature, search));
}

/** What the listing itself says of a feature; undefined where it is silent. */
function stated(feature: Feature, search: Search, { listing }: ListingFacts): Opinion | undefined {
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
      return claimIfKnown(negated(listing.sharing?.isSmokingAllowed ?? null));
    case "industrial":
      return listing.subTypology === null ? undefined : claim(listing.subTypology === "industrialPremise");
    default:
      return undefined;
  }
}

/** "Admits women" is met by mixed flats too. */
export function admitsOpinion(tenant: Tenant, { listing }: ListingFacts): Opinion {
  const accepted = tenant === "woman" ? "female" : "male";
  const gender = listing.sharing?.tenantGender ?? null;
  if (gender === null) return undecided("admits", { parameter: "newGender", value: accepted });
  return claim(gender === "mixed" || gender === accepted);
}

export function claim(isSo: boolean): Opinion {
  return isSo ? "yes" : "no";
}

function claimIfKnown(isSo: boolean | null): Opinion | undefined {
  return isSo === null ? undefined : claim(isSo);
}

function negated(isSo: boolean | null): boolean | null {
  return isSo === null ? null : !isSo;
}
