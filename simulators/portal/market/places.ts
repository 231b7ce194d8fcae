import { allPlaces, findPlace, type Place } from "#core/places/places.ts";

/**
 * The places of adverts. Ids and names come from the product's catalogue. What a URL's path means and which adverts are in a
 * place is computed here, independently of the product.
 */
export interface Spot {
  readonly id: string;
  readonly province: string;
  readonly municipality: string;
  readonly district: string | null;
  readonly neighborhood: string | null;
  readonly latitude: number;
  readonly longitude: number;
  readonly eurPerM2: number;
}

export const SPAIN = "0-EU-ES";

/** Districts and towns with adverts: `id|latitude|longitude|asking price in €/m², 2024|share of all adverts`. */
const STOCKED = `
28-07-001-079-01|40.418|-3.704|6200|91
28-07-001-079-02|40.399|-3.698|5050|42
28-07-001-079-03|40.411|-3.675|6200|35
28-07-001-079-04|40.429|-3.675|8150|77
28-07-001-079-05|40.455|-3.677|6750|42
28-07-001-079-06|40.460|-3.700|4900|42
28-07-001-079-07|40.437|-3.704|6950|49
28-07-001-079-08|40.499|-3.714|4600|42
28-07-001-079-09|40.452|-3.758|5350|35
28-07-001-079-10|40.392|-3.762|3100|35
28-07-001-079-11|40.382|-3.734|2950|42
28-07-001-079-12|40.377|-3.704|2600|28
28-07-001-079-13|40.387|-3.657|2550|42
28-07-001-079-14|40.406|-3.641|3250|14
28-07-001-079-15|40.446|-3.653|4400|42
28-07-001-079-16|40.473|-3.643|4700|35
28-07-001-079-17|40.346|-3.692|2250|21
28-07-001-079-18|40.369|-3.616|3000|21
28-07-001-079-19|40.396|-3.586|3250|21
28-07-001-079-20|40.434|-3.611|3300|28
28-07-001-079-21|40.470|-3.587|3900|14
28-01-002-006|40.547|-3.642|3600|10
28-01-003-134|40.547|-3.626|3300|9
28-02-003-115|40.435|-3.814|4300|12
28-02-004-080|40.473|-3.872|3900|10
28-02-005-127|40.493|-3.874|3500|11
28-02-007-061|40.578|-4.003|2000|8
28-03-007-096|40.288|-4.013|1600|4
28-04-001-092|40.322|-3.865|2200|12
28-04-004-065|40.308|-3.732|2600|11
28-05-001-123|40.327|-3.518|2900|10
28-06-002-005|40.482|-3.363|2300|12
28-06-005-148|40.455|-3.469|2400|11
08-13-001-019-02|41.391|2.165|5650|20
08-13-001-019-06|41.411|2.153|5200|15
08-13-001-019-10|41.408|2.200|4450|15
46-02-002-250-01|39.475|-0.377|3650|15
46-02-002-250-11|39.462|-0.328|2450|15
`;
/** Inside these places an id that is not in the catalogue does not exist. */
const FULLY_KNOWN = ["0-EU-ES-28-", "0-EU-ES-08-13-001-019-", "0-EU-ES-46-02-002-250-"];
const PARTS = { province: 4, municipality: 7, district: 8, barrio: 9 } as const;

/** The places with adverts and their shares: the barrios of the districts above, and the towns. */
export const stockedSpots: readonly (readonly [Spot, number])[] = STOCKED.trim()
  .split("\n")
  .flatMap((line) => {
    const [suffix, latitude, longitude, eurPerM2, share] = line.split("|");
    const id = `${SPAIN}-${suffix}`;
    const barrios = [...allPlaces()].map((place) => place.id).filter((other) => other.startsWith(`${id}-`));
    const inside = nameAt(id, "district") === null ? [id] : barrios;
    const where = { latitude: Number(latitude), longitude: Number(longitude), eurPerM2: Number(eurPerM2) };
    return inside.map((spotId) => [spotAt(spotId, where), Number(share) / inside.length] as const);
  });

/** A place with these names; near Madrid's centre by default. */
export function spotAt(id: string, where = { latitude: 40.4168, longitude: -3.7038, eurPerM2: 2500 }): Spot {
  const province = nameAt(id, "province") ?? "";
  return {
    id,
    province,
    municipality: nameAt(id, "municipality") ?? province,
    district: nameAt(id, "district"),
    neighborhood: nameAt(id, "barrio"),
    ...where,
  };
}

export function nearestSpot(point: { latitude: number; longitude: number }): Spot {
  const squaredDistance = ([spot]: readonly [Spot, number]) =>
    (spot.latitude - point.latitude) ** 2 + (spot.longitude - point.longitude) ** 2;
  const [nearest] = stockedSpots.reduce((a, b) => (squaredDistance(b) < squaredDistance(a) ? b : a));
  return nearest;
}

/** The place and all places that contain it, up to the country. */
export function placesAround(id: string): string[] {
  const parts = id.split("-");
  return parts.slice(2).map((_, index) => parts.slice(0, index + 3).join("-"));
}

/** Whether the API knows this id: by the catalogue where it is complete, elsewhere by the id's format. */
export function isSearchable(id: string): boolean {
  if (findPlace(id) !== undefined) {
    return true;
  }
  const [province] = /^0-EU-ES-\d\d(?=-\d\d(-\d{3}-\d{3}(-\d\d(-\d{3})?)?)?$)/.exec(id) ?? [];
  return (
    province !== undefined &&
    findPlace(province) !== undefined &&
    !FULLY_KNOWN.some((known) => id.startsWith(known))
  );
}

const placesByPath = new Map<string, Place>();
for (const place of allPlaces()) {
  for (const path of pathsOf(place)) {
    // `madrid/x` means a district of the city rather than a comarca of the province.
    if (!placesByPath.has(path) || place.level === "district") {
      placesByPath.set(path, place);
    }
  }
}

/** The place named by the path of a search URL. */
export function findByPath(path: string): Place | undefined {
  return placesByPath.get(path);
}

function pathsOf({ id, level, name }: Place): string[] {
  const slug = slugOf(name);
  const slugAt = (outer: keyof typeof PARTS) => slugOf(nameAt(id, outer) ?? "");
  switch (level) {
    case "province":
      return [`${slug}-provincia`, slug];
    case "comarca":
      return [`${slugAt("province")}/${slug}`];
    case "municipality":
      return [`${slug}-${slugAt("province")}`];
    case "district":
      return [`${slugAt("municipality")}/${slug}`];
    case "barrio":
      return [`${slugAt("municipality")}/${slugAt("district")}/${slug}`];
  }
}

/** The portal's spelling of names in paths: slashes are removed, and all but letters and digits become hyphens. */
function slugOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}|\//gu, "")
    .toLowerCase();
  return plain
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("-");
}

/** The name at that level of the place or of a containing one; null if the place itself is larger. */
function nameAt(id: string, level: keyof typeof PARTS): string | null {
  const parts = id.split("-").slice(0, PARTS[level]);
  return parts.length < PARTS[level] ? null : (findPlace(parts.join("-"))?.name ?? null);
}
