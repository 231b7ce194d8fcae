/** What a home is called, by the portal's typology: the key of its word in every language. */
import type { Kind } from "../search/search.ts";

export type HomeName =
  | "home"
  | "flat"
  | "penthouse"
  | "duplex"
  | "studio"
  | "house"
  | "detachedHouse"
  | "semiDetachedHouse"
  | "terracedHouse"
  | "countryHouse"
  | "room"
  | "office"
  | "premises"
  | "industrialUnit"
  | "garage"
  | "newDevelopment"
  | "land"
  | "storageRoom"
  | "building"
  | "transfer";

const BY_SUB_TYPOLOGY: Readonly<Record<string, HomeName>> = {
  penthouse: "penthouse",
  duplex: "duplex",
  studio: "studio",
  independantHouse: "detachedHouse",
  semidetachedHouse: "semiDetachedHouse",
  terracedHouse: "terracedHouse",
  industrialPremise: "industrialUnit",
};
const BY_TYPOLOGY: Readonly<Record<string, HomeName>> = {
  flat: "flat",
  chalet: "house",
  countryHouse: "countryHouse",
  room: "room",
  garage: "garage",
  office: "office",
  premise: "premises",
};
const BY_KIND: Readonly<Record<Kind, HomeName>> = {
  homes: "home",
  rooms: "room",
  offices: "office",
  premises: "premises",
  garages: "garage",
  "new-developments": "newDevelopment",
  land: "land",
  "storage-rooms": "storageRoom",
  buildings: "building",
  transfers: "transfer",
};

export function homeNameOf({
  subTypology,
  typology,
  kind,
}: {
  readonly subTypology: string | null;
  readonly typology: string | null;
  readonly kind: Kind | null;
}): HomeName {
  const known = nameIn(BY_SUB_TYPOLOGY, subTypology) ?? nameIn(BY_TYPOLOGY, typology);
  return known ?? (kind === null ? undefined : nameIn(BY_KIND, kind)) ?? "home";
}

function nameIn(names: Readonly<Record<string, HomeName>>, key: string | null): HomeName | undefined {
  return key !== null && Object.hasOwn(names, key) ? names[key] : undefined;
}
