import type { Spot } from "./places.ts";

export const OPERATIONS = ["sale", "rent"] as const;
export const PROPERTY_TYPES = ["homes", "offices", "premises", "garages", "bedrooms"] as const;
export type Operation = (typeof OPERATIONS)[number];
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** One advert as the portal itself knows it: more than any of its answers tells. */
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
  /** No answer tells how high the building is; the floor filters of the site need it. */
  floorBand: "top" | "middle" | "ground" | null;
  isExterior: boolean | null;
  hasLift: boolean | null;
  condition: "good" | "renew" | "newdevelopment";
  hasParking: boolean;
  /** null: included in the price. */
  parkingPriceEur: number | null;
  label: "luxuryType" | "villaType" | "apartamentoType" | "loftType" | null;
  photoCount: number;
  /** What the advertiser wrote; a plain line unless set. */
  description?: string;
  street: string | null;
  streetNumber: number;
  isAddressShown: boolean;
  latitude: number;
  longitude: number;
  /** Where the answers put it: moved when the address is hidden. */
  shownLatitude: number;
  shownLongitude: number;
}

const OFTEN = [true, false] as const;
const SELDOM = [true, false, false, false] as const;

/**
 * What is drawn evenly from a few values: most of it can be asked for, by the official API's own parameter names or
 * by words of the site, and is answered by neither.
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

/** Houses' answers carry no floor, lift or exterior. */
export function isHouse({ typology }: Pick<Advert, "typology">): boolean {
  return typology === "chalet" || typology === "countryHouse";
}
