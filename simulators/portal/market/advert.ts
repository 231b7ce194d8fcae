import type { Spot } from "./places.ts";

export const OPERATIONS = ["sale", "rent"] as const;
export const PROPERTY_TYPES = ["homes", "offices", "premises", "garages", "bedrooms"] as const;
export type Operation = (typeof OPERATIONS)[number];
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** One advert as the portal stores it, with more than its API returns. */
export interface Advert extends Traits {
  code: string;
  operation: Operation;
  propertyType: PropertyType;
  spot: Spot;
  publishedAt: number;
  modifiedAt: number;
  priceEur: number;
  formerPriceEur: number | null;
  sizeM2: number | null;
  rooms: number | null;
  bathrooms: number | null;
  typology: string;
  subTypology: string | null;
  floor: string | null;
  /** Not in any answer, but needed by the site's floor filters. */
  floorBand: "top" | "middle" | "ground" | null;
  isExterior: boolean | null;
  hasLift: boolean | null;
  condition: "good" | "renew" | "newdevelopment";
  hasParking: boolean;
  /** Null if included in the price. */
  parkingPriceEur: number | null;
  label: "luxuryType" | "villaType" | "apartamentoType" | "loftType" | null;
  photoCount: number;
  /** The description; a plain line by default. */
  description?: string;
  street: string | null;
  streetNumber: number;
  isAddressShown: boolean;
  latitude: number;
  longitude: number;
  /** The published position, which is displaced if the address is hidden. */
  shownLatitude: number;
  shownLongitude: number;
}

const OFTEN = [true, false] as const;
const SELDOM = [true, false, false, false] as const;

/**
 * Attributes drawn evenly from a few values. Most of them can be filtered by, with the official API's parameter names or
 * words of the site, but are in no answer.
 */
export const TRAITS = {
  airConditioning: OFTEN,
  builtinWardrobes: OFTEN,
  terrance: SELDOM,
  swimmingPool: SELDOM,
  storeRoom: SELDOM,
  clotheslineSpace: SELDOM,
  bankOffer: [true, ...Array<false>(15).fill(false)],
  furnished: ["furnished", "furnishedKitchen", null, null],
  balcony: SELDOM,
  garden: SELDOM,
  accessible: SELDOM,
  petsAllowed: OFTEN,
  seaViews: [false] as readonly [boolean],
  privateAdvertiser: SELDOM,
  situation: ["free", "free", "free", "tenanted", "occupied", "bareOwnership"],
  rental: ["long", "seasonal"],
  energy: ["high", "medium", "low", "low"],
  layout: ["withWalls", "openPlan"],
  buildingType: ["exclusive", "mixed"],
  buildingTypes: ["premises", "industrialBuilding"],
  location: ["street", "street", "shoppingcenter", "mezzanine", "underground", "others"],
  hotWater: OFTEN,
  heating: OFTEN,
  security: OFTEN,
  corner: SELDOM,
  smokeVentilation: OFTEN,
  transfer: SELDOM,
  automaticDoor: OFTEN,
  motorcycleParking: OFTEN,
  tenants: [1, 2, 3, 4],
  gender: ["mixed", "mixed", "female", "male"],
  smokePolicy: ["allowed", "disallowed"],
  petsPolicy: ["allowed", "disallowed"],
  gayPartners: OFTEN,
  hasVideo: SELDOM,
  hasPlan: OFTEN,
  has3DTour: SELDOM,
  highlight: [null, null, null, null, "Destacado", "Top"],
} as const;

export type Traits = { -readonly [Name in keyof typeof TRAITS]: (typeof TRAITS)[Name][number] };

/** Answers for houses have no floor, lift or exterior. */
export function isHouse({ typology }: Pick<Advert, "typology">): boolean {
  return typology === "chalet" || typology === "countryHouse";
}
