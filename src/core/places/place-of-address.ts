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
 * The smallest place of the catalogue that an address certainly names. Addresses are written from narrow to wide and
 * without the province: "Calle de Ibiza, Ibiza, Madrid". The searched place distinguishes towns of the same name, and
 * replaces a missing town.
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

/** From wide to narrow, as long as each name is exactly one place inside the last. */
function narrowed(town: Place, address: readonly string[]): Place {
  return address.toReversed().reduce((outer, name) => {
    const inside = placesNamed(name).filter(({ id }) => id !== outer.id && contains(outer.id, id));
    // A barrio may have the name of its district. Then only the district is certain.
    return (inside.length > 1 ? inside.find(({ level }) => level === "district") : inside[0]) ?? outer;
  }, town);
}

function placesNamed(name: string | undefined): Place[] {
  return (placesByName.get(slugOf(name ?? "")) ?? []).map(({ place }) => place);
}

function townOf(placeId: string): Place | undefined {
  return findPlace(placeId.split("-").slice(0, 7).join("-"));
}
