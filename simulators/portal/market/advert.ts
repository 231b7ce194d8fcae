import type { Spot } from "./geography.ts";

export const OPERATIONS = ["sale", "rent"] as const;
export const PROPERTY_TYPES = ["homes", "offices", "premises", "garages", "bedrooms"] as const;
export type Operation = (typeof OPERATIONS)[number];
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** One advert as the portal itself knows it: more than any of its answers tells. */
export interface Advert {
  readonly code: string;
  /** The dwelling behind the advert: re-adverts and second agencies share it under other codes. */
  readonly dwelling: number;
  readonly operation: Operation;
  readonly propertyType: PropertyType;
  spot: Spot;
  publishedAt: number;
  /** Breaks ties between adverts of one instant; larger is newer. */
  sequence: number;
  modifiedAt: number;
  priceEur: number;
  formerPriceEur: number | null;
  sizeM2: number | null;
  rooms: number | null;
  bathrooms: number | null;
  typology: string;
  subTypology: string | null;
  floor: string | null;
  /** Height of the building; no answer tells it, the floor filters of the site need it. */
  buildingFloors: number;
  isExterior: boolean | null;
  hasLift: boolean | null;
  condition: "good" | "renew" | "newdevelopment";
  parking: { isIncluded: boolean; priceEur: number | null } | null;
  label: { name: string; text: string } | null;
  traits: Traits;
  hasVideo: boolean;
  hasPlan: boolean;
  has3DTour: boolean;
  has360: boolean;
  photoCount: number;
  reference: string | null;
  highlight: string | null;
  street: string | null;
  streetNumber: number;
  isAddressShown: boolean;
  latitude: number;
  longitude: number;
  /** Where the answers put it: moved when the address is hidden. */
  shownLatitude: number;
  shownLongitude: number;
}

/** What can be asked for and is not answered, by the API's own parameter names, or the site's words. */
export interface Traits {
  terrance: boolean;
  swimmingPool: boolean;
  airConditioning: boolean;
  storeRoom: boolean;
  builtinWardrobes: boolean;
  clotheslineSpace: boolean;
  furnished: "furnished" | "furnishedKitchen" | null;
  bankOffer: boolean;
  balcony: boolean;
  garden: boolean;
  accessible: boolean;
  petsAllowed: boolean;
  seaViews: boolean;
  privateAdvertiser: boolean;
  situation: "free" | "tenanted" | "occupied" | "bareOwnership";
  rental: "long" | "seasonal";
  energy: "high" | "medium" | "low";
  layout: "withWalls" | "openPlan";
  buildingType: "exclusive" | "mixed";
  hotWater: boolean;
  heating: boolean;
  security: boolean;
  location: "shoppingcenter" | "street" | "mezzanine" | "underground" | "others";
  corner: boolean;
  smokeVentilation: boolean;
  transfer: boolean;
  buildingTypes: "premises" | "industrialBuilding";
  automaticDoor: boolean;
  motorcycleParking: boolean;
  tenants: number;
  gender: "mixed" | "male" | "female";
  smokePolicy: "allowed" | "disallowed";
  petsPolicy: "allowed" | "disallowed";
  gayPartners: boolean;
}

/** Whether the dwelling is of the house kind: those answers carry no floor, lift or exterior. */
export function isHouse(advert: Pick<Advert, "typology">): boolean {
  return advert.typology === "chalet" || advert.typology === "countryHouse";
}
