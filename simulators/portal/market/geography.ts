import { BARCELONA } from "./barcelona.ts";
import { MADRID } from "./madrid.ts";
import { COMARCAS_OF_MADRID, PROVINCE_OF_MADRID, PROVINCES } from "./province-of-madrid.ts";
import { VALENCIA } from "./valencia.ts";

/** A spot where adverts are placed: the smallest area the answers name. */
export interface Spot {
  readonly id: string;
  readonly province: string;
  readonly municipality: string;
  readonly district: string | null;
  readonly neighborhood: string | null;
  readonly latitude: number;
  readonly longitude: number;
  readonly eurPerM2: number;
  /** Share of all supply, relative to the other spots. */
  readonly weight: number;
}

interface NamedPlace {
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

export interface Geography {
  readonly spots: readonly Spot[];
  findPlace(id: string): NamedPlace | undefined;
  findPath(path: string): NamedPlace | undefined;
  /** Whether the API answers for this id: exact where the catalogue is complete, by its form elsewhere. */
  isSearchable(id: string): boolean;
}

const CITIES = [
  { id: "0-EU-ES-28-07-001-079", name: "Madrid", province: "Madrid", districts: MADRID, share: 800 },
  { id: "0-EU-ES-08-13-001-019", name: "Barcelona", province: "Barcelona", districts: BARCELONA, share: 50 },
  { id: "0-EU-ES-46-02-002-250", name: "València", province: "València", districts: VALENCIA, share: 30 },
] as const;
const SHARE_OF_THE_PROVINCE_OF_MADRID = 120;
const LOCATION_ID = /^0-EU-ES-(\d\d)(?:-(\d\d)(?:-\d{3}-\d{3}(?:-\d\d(?:-\d{3})?)?)?)?$/;

export function createGeography(): Geography {
  const places = new Map<string, NamedPlace>();
  const paths = new Map<string, NamedPlace>();
  const spots: Spot[] = [];
  const add = (id: string, name: string, path: string) => {
    const place = { id, name, path };
    places.set(id, place);
    // Districts of a city are added before comarcas: `madrid/x` means the district first.
    if (!paths.has(path)) {
      paths.set(path, place);
    }
  };
  for (const city of CITIES) {
    addCity(city, add, spots);
  }
  for (const [index, name] of PROVINCES.entries()) {
    const id = `0-EU-ES-${String(index + 1).padStart(2, "0")}`;
    add(id, name, `${slugOf(name)}-provincia`);
    paths.set(slugOf(name), places.get(id) ?? { id, name, path: slugOf(name) });
  }
  for (const [index, name] of COMARCAS_OF_MADRID.entries()) {
    add(`0-EU-ES-28-0${index + 1}`, name, `madrid/${slugOf(name)}`);
  }
  addMunicipalities(add, spots);
  return {
    spots,
    findPlace: (id) => places.get(id),
    findPath: (path) => paths.get(path),
    isSearchable: (id) => places.has(id) || isSearchableByForm(id),
  };
}

/** The places that contain this one and can be searched: a prefix of 4, 5, 7, 8 or 9 parts. */
export function ancestorsOf(id: string): string[] {
  const parts = id.split("-");
  return [4, 5, 7, 8, 9]
    .filter((length) => length <= parts.length)
    .map((length) => parts.slice(0, length).join("-"));
}

function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("/", "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

type AddPlace = (id: string, name: string, path: string) => void;

function addCity(city: (typeof CITIES)[number], add: AddPlace, spots: Spot[]): void {
  const slug = slugOf(city.name);
  add(city.id, city.name, `${slug}-${slug}`);
  const lines = city.districts.trim().split("\n");
  const shares = new Map(
    lines
      .filter((line) => !line.startsWith(" "))
      .map((line) => [line.slice(0, 2), Number(line.split("|")[2])]),
  );
  const totalShare = [...shares.values()].reduce((sum, share) => sum + share, 0);
  let district = { id: "", name: "", path: "", weight: 0 };
  for (const [index, line] of lines.entries()) {
    const [id = "", name = "", third = "", longitude = "", eurPerM2 = ""] = line.trim().split("|");
    if (!line.startsWith(" ")) {
      const barrios = lines.slice(index + 1).findIndex((next) => !next.startsWith(" "));
      const count = barrios === -1 ? lines.length - index - 1 : barrios;
      district = {
        id: `${city.id}-${id}`,
        name,
        path: `${slug}/${slugOf(name)}`,
        weight: (city.share * Number(third)) / totalShare / count,
      };
      add(district.id, name, district.path);
      continue;
    }
    add(`${district.id}-${id}`, name, `${district.path}/${slugOf(name)}`);
    spots.push({
      id: `${district.id}-${id}`,
      province: city.province,
      municipality: city.name,
      district: district.name,
      neighborhood: name,
      latitude: Number(third),
      longitude: Number(longitude),
      eurPerM2: Number(eurPerM2),
      weight: district.weight,
    });
  }
}

function addMunicipalities(add: AddPlace, spots: Spot[]): void {
  const rows = PROVINCE_OF_MADRID.trim()
    .split("\n")
    .map((line) => line.split("|"));
  const totalShare = rows.reduce((sum, row) => sum + Number(row[5]), 0);
  for (const [id = "", name = "", latitude, longitude, eurPerM2, share] of rows) {
    add(`0-EU-ES-28-${id}`, name, `${slugOf(name)}-madrid`);
    spots.push({
      id: `0-EU-ES-28-${id}`,
      province: "Madrid",
      municipality: name,
      district: null,
      neighborhood: null,
      latitude: Number(latitude),
      longitude: Number(longitude),
      eurPerM2: Number(eurPerM2),
      weight: (SHARE_OF_THE_PROVINCE_OF_MADRID * Number(share)) / totalShare,
    });
  }
}

function isSearchableByForm(id: string): boolean {
  const [, province, comarca] = LOCATION_ID.exec(id) ?? [];
  if (province === undefined || Number(province) < 1 || Number(province) > PROVINCES.length) {
    return false;
  }
  if (CITIES.some((city) => id.startsWith(`${city.id}-`))) {
    return false;
  }
  return !(province === "28" && comarca !== undefined && Number(comarca) > COMARCAS_OF_MADRID.length);
}
