/**
 * What a portal search URL asks for. Values inside one list are alternatives (OR); lists, limits and features must all
 * hold (AND). An empty list or null means "no wish". Lists are kept in the order of their vocabulary below, so that
 * equal searches are deeply equal.
 */
export interface Search {
  readonly operation: Operation;
  readonly kind: Kind;
  readonly where: Where;
  readonly minPriceEur: number | null;
  readonly maxPriceEur: number | null;
  readonly minAreaM2: number | null;
  readonly maxAreaM2: number | null;
  readonly homeTypes: readonly HomeType[];
  /** 0 is a studio, 4 means four or more. */
  readonly bedrooms: readonly Bedrooms[];
  /** 3 means three or more. */
  readonly bathrooms: readonly Bathrooms[];
  readonly furnishing: Furnishing | null;
  /** Unlike in the other lists, all of these must hold. */
  readonly features: readonly Feature[];
  readonly publishedWithin: PublishedWithin | null;
  readonly floors: readonly FloorBand[];
  readonly conditions: readonly Condition[];
  readonly saleSituations: readonly SaleSituation[];
  readonly rentalTypes: readonly RentalType[];
  readonly energyClasses: readonly EnergyClass[];
  readonly landClasses: readonly LandClass[];
  /** Rooms only: whom the flat accepts. */
  readonly admits: readonly Tenant[];
  /** Rooms only: who lives there. */
  readonly flatmates: readonly Flatmates[];
  /** Filter words of the URL that we do not know. They are kept in the link and shown to the user. */
  readonly unknownTokens: readonly string[];
}

/** Where to look. The official API can serve only `place` and `drawn` directly. */
export type Where =
  /** A place of the catalogue, by location id. */
  | { readonly type: "place"; readonly placeId: string }
  /** A place that the catalogue lacks: its path as written. */
  | { readonly type: "unlisted-place"; readonly path: readonly string[] }
  /** Drawn on the map: closed rings as Google encoded polylines (precision 5). */
  | { readonly type: "drawn"; readonly rings: readonly string[] }
  /** Several zones: the portal's opaque, case-sensitive codes. */
  | { readonly type: "zones"; readonly codes: readonly string[] }
  /** A station, post code, street or region that only the portal can locate. */
  | { readonly type: "point-of-interest"; readonly slug: string }
  /** Free text from the portal's search box, optionally inside a place. */
  | { readonly type: "text"; readonly text: string; readonly path: readonly string[] };

export const OPERATIONS = ["sale", "rent"] as const;
export const KINDS = [
  "homes",
  "rooms",
  "offices",
  "premises",
  "garages",
  "new-developments",
  "land",
  "storage-rooms",
  "buildings",
  /** Running businesses for sale. The portal gives them no operation; we treat them as sales. */
  "transfers",
] as const;
export const HOME_TYPES = [
  /** All flats, including penthouses and duplexes. */
  "flat",
  "plain-flat",
  /** All houses. */
  "house",
  "detached-house",
  "semi-detached-house",
  "terraced-house",
  "country-house",
  "duplex",
  "penthouse",
  "apartment",
  "villa",
  "loft",
] as const;
export const BEDROOMS = [0, 1, 2, 3, 4] as const;
export const BATHROOMS = [1, 2, 3] as const;
export const FURNISHINGS = ["furnished", "equipped-kitchen"] as const;
export const FEATURES = [
  "lift",
  "exterior",
  "garage",
  "terrace",
  "balcony",
  "balcony-or-terrace",
  "garden",
  "swimming-pool",
  "air-conditioning",
  "storage-room",
  "built-in-wardrobes",
  "accessible",
  "luxury",
  "sea-views",
  "pets-allowed",
  "bank-owned",
  "private-advertiser",
  "floor-plan",
  /** Rooms only. */
  "non-smoking",
  "owner-lives-elsewhere",
  /** Premises only. */
  "industrial",
  "hospitality",
  "street-level",
  "property-only",
  "hotel",
] as const;
export const PUBLISHED_WITHIN = ["24-hours", "48-hours", "week", "month"] as const;
export const FLOOR_BANDS = ["top", "middle", "ground"] as const;
export const CONDITIONS = ["new", "renew", "good"] as const;
export const SALE_SITUATIONS = ["vacant", "tenanted", "squatted", "bare-ownership"] as const;
export const RENTAL_TYPES = ["long-term", "seasonal"] as const;
export const ENERGY_CLASSES = ["high", "medium", "low"] as const;
export const LAND_CLASSES = ["urban", "developable", "undevelopable"] as const;
export const TENANTS = ["woman", "man"] as const;
export const FLATMATES = ["students", "workers"] as const;

export type Operation = (typeof OPERATIONS)[number];
export type Kind = (typeof KINDS)[number];
export type HomeType = (typeof HOME_TYPES)[number];
export type Bedrooms = (typeof BEDROOMS)[number];
export type Bathrooms = (typeof BATHROOMS)[number];
export type Furnishing = (typeof FURNISHINGS)[number];
export type Feature = (typeof FEATURES)[number];
export type PublishedWithin = (typeof PUBLISHED_WITHIN)[number];
export type FloorBand = (typeof FLOOR_BANDS)[number];
export type Condition = (typeof CONDITIONS)[number];
export type SaleSituation = (typeof SALE_SITUATIONS)[number];
export type RentalType = (typeof RENTAL_TYPES)[number];
export type EnergyClass = (typeof ENERGY_CLASSES)[number];
export type LandClass = (typeof LAND_CLASSES)[number];
export type Tenant = (typeof TENANTS)[number];
export type Flatmates = (typeof FLATMATES)[number];

/** A search without any wishes. */
export function searchFor(operation: Operation, kind: Kind, where: Where): Search {
  return {
    operation,
    kind,
    where,
    minPriceEur: null,
    maxPriceEur: null,
    minAreaM2: null,
    maxAreaM2: null,
    homeTypes: [],
    bedrooms: [],
    bathrooms: [],
    furnishing: null,
    features: [],
    publishedWithin: null,
    floors: [],
    conditions: [],
    saleSituations: [],
    rentalTypes: [],
    energyClasses: [],
    landClasses: [],
    admits: [],
    flatmates: [],
    unknownTokens: [],
  };
}
