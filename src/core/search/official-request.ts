/** The parts of a search that requests to the official API can carry. Everything else is decided on its answers. */
import type { Feature, Kind, Operation, Search } from "./search.ts";

const OFFICIAL_KINDS = ["homes", "rooms", "offices", "premises", "garages"] as const;
export type OfficialKind = (typeof OFFICIAL_KINDS)[number];

export function isOfficialKind(kind: Kind): kind is OfficialKind {
  return (OFFICIAL_KINDS as readonly Kind[]).includes(kind);
}

export interface OfficialQuery {
  readonly operation: Operation;
  readonly kind: OfficialKind;
  readonly where: PlaceWhere | Circle;
  readonly filters: readonly RequestFilter[];
}

export interface PlaceWhere {
  readonly placeId: string;
}

export interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly distanceM: number;
}

export interface RequestFilter {
  readonly parameter: string;
  readonly value: string;
}

type FeatureFilter = readonly [parameter: string, value: string, kinds: readonly Kind[]];

/** Features that answers do not state. */
const FEATURE_FILTERS: Readonly<Partial<Record<Feature, FeatureFilter>>> = {
  // The misspelling is the API's own; it ignores "terrace".
  terrace: ["terrance", "true", ["homes"]],
  "swimming-pool": ["swimmingPool", "true", ["homes"]],
  "air-conditioning": ["airConditioning", "true", ["homes", "offices", "premises"]],
  "storage-room": ["storeRoom", "true", ["homes"]],
  "built-in-wardrobes": ["builtinWardrobes", "true", ["homes"]],
  "bank-owned": ["bankOffer", "true", ["homes", "offices", "premises", "garages"]],
  "street-level": ["location", "street", ["premises"]],
};

export function featureFilter(feature: Feature, search: Search): RequestFilter | undefined {
  const [parameter, value, kinds] = FEATURE_FILTERS[feature] ?? [];
  if (!parameter || !value || !kinds?.includes(search.kind)) return undefined;
  if (feature === "bank-owned" && search.operation === "rent") return undefined;
  return { parameter, value };
}

/**
 * The filters that a request must carry because answers do not state them. Searches that differ here cannot share a
 * request. Everything else can be decided on a broader answer.
 */
export function requestOnlyFilters(search: Search): RequestFilter[] {
  const features = search.features.flatMap((feature) => featureFilter(feature, search) ?? []);
  if (search.furnishing === null || search.kind !== "homes") return features;
  const value = search.furnishing === "furnished" ? "furnished" : "furnishedKitchen";
  return [...features, { parameter: "furnished", value }];
}
