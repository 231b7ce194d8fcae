import { OPERATIONS, type Operation, PROPERTY_TYPES, type PropertyType } from "../market/advert.ts";

/** What one parameter accepts; `counts` names the filter it is counted as in totalAppliedFilters. */
export type Rule = {
  readonly counts?: string;
  /** Where the parameter exists at all; elsewhere it is ignored like any unknown name. */
  readonly only?: Operation;
} & (
  | { readonly type: "boolean" }
  | { readonly type: "number"; readonly low?: number; readonly high?: number; readonly isWhole?: boolean }
  | { readonly type: "choice"; readonly values: readonly string[] }
  | { readonly type: "choices"; readonly values: readonly string[] }
  | { readonly type: "point" }
  | { readonly type: "digits" }
  | { readonly type: "text" }
);

const flag = (counts: string): Rule => ({ type: "boolean", counts });
const choice = (counts: string, values: readonly string[]): Rule => ({ type: "choice", counts, values });
const choices = (counts: string, values: readonly string[]): Rule => ({ type: "choices", counts, values });
const amount = (counts: string): Rule => ({ type: "number", low: 0, counts });
const flags = (...names: string[]) => Object.fromEntries(names.map((name) => [name, flag(name)]));

const COMMON: Readonly<Record<string, Rule>> = {
  country: { type: "choice", values: ["es", "it", "pt"] },
  operation: { type: "choice", values: OPERATIONS },
  propertyType: { type: "choice", values: PROPERTY_TYPES },
  center: { type: "point" },
  distance: { type: "number", low: 0 },
  locationId: { type: "text" },
  locale: { type: "choice", values: ["es", "it", "pt", "en", "ca"] },
  maxItems: { type: "number", low: 1, high: 50, isWhole: true },
  numPage: { type: "number", low: 1, isWhole: true },
  sort: { type: "choice", values: ["asc", "desc"] },
  minPrice: amount("price"),
  maxPrice: amount("price"),
  adIds: { type: "digits", counts: "adIds" },
  hasMultimedia: flag("hasMultimedia"),
};

const SIZE = { minSize: amount("size"), maxSize: amount("size") };
const BANK_OFFER: Rule = { type: "boolean", counts: "bankOffer", only: "sale" };

const BY_TYPE: Readonly<Record<PropertyType, Readonly<Record<string, Rule>>>> = {
  homes: {
    ...SIZE,
    ...flags("virtualTour", "flat", "penthouse", "duplex", "studio", "chalet", "countryHouse"),
    ...flags("newDevelopment", "garage", "terrance", "exterior", "elevator", "swimmingPool"),
    ...flags("airConditioning", "storeRoom", "clotheslineSpace", "builtinWardrobes"),
    bankOffer: BANK_OFFER,
    bedrooms: choices("bedrooms", ["0", "1", "2", "3", "4"]),
    bathrooms: choices("bathrooms", ["0", "1", "2", "3"]),
    preservation: choice("preservation", ["good", "renew"]),
    furnished: choice("furnished", ["furnished", "furnishedKitchen"]),
    subTypology: choice("subTypology", ["independantHouse", "semidetachedHouse", "terracedHouse"]),
  },
  offices: {
    ...SIZE,
    ...flags("garage", "hotWater", "heating", "elevator", "airConditioning", "security", "exterior"),
    bankOffer: BANK_OFFER,
    layout: choice("layout", ["withWalls", "openPlan"]),
    buildingType: choice("buildingType", ["exclusive", "mixed"]),
  },
  premises: {
    ...SIZE,
    ...flags("virtualTour", "corner", "airConditioning", "smokeVentilation", "heating", "transfer"),
    bankOffer: BANK_OFFER,
    location: choice("location", ["shoppingcenter", "street", "mezzanine", "underground", "others"]),
    buildingTypes: choice("buildingTypes", ["premises", "industrialBuilding"]),
  },
  garages: { ...flags("automaticDoor", "motorcycleParking", "security"), bankOffer: BANK_OFFER },
  bedrooms: {
    ...flags("gayPartners"),
    housemates: choices("housemates", ["2", "3", "4"]),
    smokePolicy: choice("smokePolicy", ["allowed", "disallowed"]),
    petsPolicy: choice("petsPolicy", ["allowed", "disallowed"]),
    newGender: choice("newGender", ["male", "female"]),
  },
};

const EVERYWHERE = ["distance", "price", "street", "photos", "publicationDate"];
const PROMOTED = ["weigh", "pricedown", "priceDown"];

function ordersOf(propertyType: PropertyType, operation: Operation): string[] {
  const onRent = (...names: string[]) => (operation === "rent" ? names : []);
  switch (propertyType) {
    case "homes":
      return [
        ...EVERYWHERE,
        "modificationDate",
        "size",
        "floor",
        "rooms",
        ...onRent("ratioeurm2"),
        ...PROMOTED,
      ];
    case "bedrooms":
      return [...EVERYWHERE, "modificationDate", "floor"];
    case "garages":
      return [...EVERYWHERE, ...onRent("modificationDate"), ...PROMOTED];
    case "premises":
      return [
        ...EVERYWHERE,
        ...onRent("modificationDate"),
        ...PROMOTED,
        "size",
        "floor",
        ...onRent("ratioeurm2"),
      ];
    case "offices":
      return [...EVERYWHERE, ...onRent("modificationDate"), ...PROMOTED, "size", "floor", "ratioeurm2"];
  }
}

/** Every parameter the API knows for this kind of search; all others are ignored in silence. */
export function rulesFor(operation: Operation, propertyType: PropertyType): Map<string, Rule> {
  const lastDays = operation === "rent" && propertyType !== "bedrooms" ? "T" : "Y";
  const rules: Record<string, Rule> = {
    ...COMMON,
    ...BY_TYPE[propertyType],
    sinceDate: choice("sinceDate", ["W", "M", lastDays]),
    order: { type: "choice", values: ordersOf(propertyType, operation) },
  };
  return new Map(
    Object.entries(rules).filter(([, rule]) => rule.only === undefined || rule.only === operation),
  );
}
