import { OPERATIONS, type Operation, PROPERTY_TYPES, type PropertyType } from "../market/advert.ts";

export interface SearchRequest {
  readonly operation: Operation;
  readonly propertyType: PropertyType;
  readonly locationId: string | null;
  readonly circle: { latitude: number; longitude: number; distanceM: number } | null;
  readonly maxItems: number;
  readonly numPage: number;
  readonly order: string;
  readonly sort: string;
  readonly sinceDate: string | null;
  /** The other filters, by parameter name. */
  readonly filters: ReadonlyMap<string, FilterValue>;
  readonly totalAppliedFilters: number;
}

export type FilterValue = string | number | true | readonly string[];
/** Parses a parameter, or throws the API's error. Returns undefined if the value means no filter. */
type Rule = (name: string, text: string) => FilterValue | undefined;
type Rules = Readonly<Record<string, Rule>>;

export class BadRequest extends Error {}

const flag: Rule = (name, text) => {
  const word = oneOf(name, ["true", "false", "1", "0"], text.toLowerCase());
  return word === "true" || word === "1" ? true : undefined;
};
const choice =
  (...values: string[]): Rule =>
  (name, text) =>
    oneOf(name, values, text);
const choices =
  (...values: string[]): Rule =>
  (name, text) =>
    text.split(",").map((part) => oneOf(name, values, part.trim()));
const number =
  (low: number, high = Number.POSITIVE_INFINITY, isWhole = false): Rule =>
  (name, text) => {
    const value = Number(text);
    if (!(value >= low && value <= high) || (isWhole && !Number.isInteger(value))) {
      throw invalid(name, `${low}..${Number.isFinite(high) ? high : ""}`);
    }
    return value;
  };
const pattern =
  (accepted: RegExp, said: string): Rule =>
  (name, text) => {
    if (!accepted.test(text)) {
      throw invalid(name, said);
    }
    return text;
  };
const flags = (...names: string[]): Rules => Object.fromEntries(names.map((name) => [name, flag]));

/** Parameters of every search that do not count as filters. */
const FRAME: Rules = {
  country: choice("es", "it", "pt"),
  operation: choice(...OPERATIONS),
  propertyType: choice(...PROPERTY_TYPES),
  center: pattern(/^-?\d+(\.\d+)?,-?\d+(\.\d+)?$/, "latitude,longitude"),
  distance: number(0),
  locationId: (_, text) => text,
  locale: choice("es", "it", "pt", "en", "ca"),
  maxItems: number(1, 50, true),
  numPage: number(1, Number.POSITIVE_INFINITY, true),
  sort: choice("asc", "desc"),
};
const FILTERS: Rules = {
  minPrice: number(0),
  maxPrice: number(0),
  adIds: pattern(/^\d+(,\d+)*$/, "integers"),
  ...flags("hasMultimedia"),
};
const SIZE: Rules = { minSize: number(0), maxSize: number(0) };
const BY_TYPE: Readonly<Record<PropertyType, Rules>> = {
  homes: {
    ...SIZE,
    ...flags("virtualTour", "flat", "penthouse", "duplex", "studio", "chalet", "countryHouse"),
    ...flags("newDevelopment", "garage", "terrance", "exterior", "elevator", "swimmingPool", "bankOffer"),
    ...flags("airConditioning", "storeRoom", "clotheslineSpace", "builtinWardrobes"),
    bedrooms: choices("0", "1", "2", "3", "4"),
    bathrooms: choices("0", "1", "2", "3"),
    preservation: choice("good", "renew"),
    furnished: choice("furnished", "furnishedKitchen"),
    subTypology: choice("independantHouse", "semidetachedHouse", "terracedHouse"),
  },
  offices: {
    ...SIZE,
    ...flags(
      "garage",
      "hotWater",
      "heating",
      "elevator",
      "airConditioning",
      "security",
      "exterior",
      "bankOffer",
    ),
    layout: choice("withWalls", "openPlan"),
    buildingType: choice("exclusive", "mixed"),
  },
  premises: {
    ...SIZE,
    ...flags(
      "virtualTour",
      "corner",
      "airConditioning",
      "smokeVentilation",
      "heating",
      "transfer",
      "bankOffer",
    ),
    location: choice("shoppingcenter", "street", "mezzanine", "underground", "others"),
    buildingTypes: choice("premises", "industrialBuilding"),
  },
  garages: flags("automaticDoor", "motorcycleParking", "security", "bankOffer"),
  bedrooms: {
    ...flags("gayPartners"),
    housemates: choices("2", "3", "4"),
    smokePolicy: choice("allowed", "disallowed"),
    petsPolicy: choice("allowed", "disallowed"),
    newGender: choice("male", "female"),
  },
};

/** Parses the documented parameters. Unknown names are ignored, as by the API. */
export function readRequest(parameters: ReadonlyMap<string, string>): SearchRequest {
  const operation = oneOf("operation", OPERATIONS, required(parameters, "operation"));
  const types = PROPERTY_TYPES.filter((type) => operation === "rent" || type !== "bedrooms");
  const propertyType = oneOf("propertyType", types, required(parameters, "propertyType"));
  const filterRules = filterRulesFor(operation, propertyType);
  const rules: Rules = { ...FRAME, ...filterRules, order: choice(...ordersOf(operation, propertyType)) };
  const values = new Map<string, FilterValue>();
  for (const [name, text] of parameters) {
    const value = text === "" || !Object.hasOwn(rules, name) ? undefined : rules[name]?.(name, text);
    if (value !== undefined) {
      values.set(name, value);
    }
  }
  const filters = new Map([...values].filter(([name]) => Object.hasOwn(filterRules, name)));
  // A minimum and a maximum count as one filter.
  const counted = new Set([...filters.keys()].map((name) => name.replace(/^(min|max)(?=[A-Z])/, "")));
  const sinceDate = filters.get("sinceDate");
  filters.delete("sinceDate");
  return {
    operation,
    propertyType,
    ...readPlace(values),
    maxItems: Number(values.get("maxItems") ?? 20),
    numPage: Number(values.get("numPage") ?? 1),
    order: String(values.get("order") ?? "weigh"),
    sort: String(values.get("sort") ?? "desc"),
    sinceDate: sinceDate === undefined ? null : String(sinceDate),
    filters,
    totalAppliedFilters: counted.size,
  };
}

function filterRulesFor(operation: Operation, propertyType: PropertyType): Rules {
  const { bankOffer, ...rules } = BY_TYPE[propertyType];
  const lastDays = operation === "rent" && propertyType !== "bedrooms" ? "T" : "Y";
  return {
    ...FILTERS,
    ...rules,
    ...(bankOffer !== undefined && operation === "sale" ? { bankOffer } : {}),
    sinceDate: choice("W", "M", lastDays),
  };
}

function ordersOf(operation: Operation, propertyType: PropertyType): string[] {
  const isRent = operation === "rent";
  const isHomeOrRoom = propertyType === "homes" || propertyType === "bedrooms";
  const hasSize = ["homes", "offices", "premises"].includes(propertyType);
  return [
    ...["distance", "price", "street", "photos", "publicationDate"],
    ...(isRent || isHomeOrRoom ? ["modificationDate"] : []),
    ...(hasSize ? ["size"] : []),
    ...(propertyType === "garages" ? [] : ["floor"]),
    ...(propertyType === "homes" ? ["rooms"] : []),
    ...(propertyType === "offices" || (isRent && hasSize) ? ["ratioeurm2"] : []),
    ...(propertyType === "bedrooms" ? [] : ["weigh", "pricedown", "priceDown"]),
  ];
}

function readPlace(values: ReadonlyMap<string, FilterValue>): Pick<SearchRequest, "locationId" | "circle"> {
  const locationId = values.has("locationId") ? String(values.get("locationId")) : null;
  const center = values.get("center");
  const distance = values.get("distance");
  if (center !== undefined && distance !== undefined) {
    const [latitude = 0, longitude = 0] = String(center).split(",").map(Number);
    return { locationId, circle: { latitude, longitude, distanceM: Number(distance) } };
  }
  if (center !== undefined || distance !== undefined) {
    throw new BadRequest(`${center === undefined ? "center" : "distance"} is required`);
  }
  if (locationId === null) {
    throw new BadRequest("center and distance or locationId is required");
  }
  return { locationId, circle: null };
}

function required(parameters: ReadonlyMap<string, string>, name: string): string {
  const text = parameters.get(name);
  if (text === undefined || text === "") {
    throw new BadRequest(`${name} is required`);
  }
  return text;
}

function oneOf<T extends string>(name: string, values: readonly T[], text: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined) {
    throw invalid(name, values.join(", "));
  }
  return found;
}

function invalid(name: string, accepted: string): BadRequest {
  return new BadRequest(`Invalid value. Accepted values for ${name} are: ${accepted}`);
}
