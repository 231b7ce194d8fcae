import { PLACE_ALIASES } from "./aliases.ts";
import { allPlaces, contains, findPlace, type Place } from "./places.ts";
import { slugOf } from "./slug.ts";

const placesByName = Map.groupBy(
  [...allPlaces()].flatMap((place) =>
    [...new Set([place.name, ...(PLACE_ALIASES[place.id] ?? [])].map(slugOf))].map((slug) => ({
      slug,
      place,
    })),
  ),
  ({ slug }) => slug,
);

/**
 * The smallest place of the catalogue that an address is sure to name, written from narrow to wide and without its
 * province: "Calle de Ibiza, Ibiza, Madrid". The place that was searched in tells towns of one name apart, and stands in
 * where the address was cut before its town.
 */
export function placeOfAddress(address: readonly string[], searchedId: string | null): Place | undefined {
  const towns = placesNamed(address.at(-1)).filter(
    ({ level, id }) =>
      level === "municipality" &&
      (searchedId === null || contains(searchedId, id) || contains(id, searchedId)),
  );
  const [town] = towns;
  if (towns.length === 1 && town) return narrowed(town, address.slice(0, -1));
  const searched = searchedId === null ? undefined : townOf(searchedId);
  const place = searched && narrowed(searched, address);
  return place === searched ? undefined : place;
}

/** From wide to narrow, as far as each name is one place inside the last. */
function narrowed(town: Place, address: readonly string[]): Place {
  return address.toReversed().reduce((outer, name) => {
    const inside = placesNamed(name).filter(({ id }) => id !== outer.id && contains(outer.id, id));
    // A barrio may be named like its district: then only the district is sure.
    return (inside.length > 1 ? inside.find(({ level }) => level === "district") : inside[0]) ?? outer;
  }, town);
}

function placesNamed(name: string | undefined): Place[] {
  return (placesByName.get(slugOf(name ?? "")) ?? []).map(({ place }) => place);
}

function townOf(placeId: string): Place | undefined {
  return findPlace(placeId.split("-").slice(0, 7).join("-"));
}
