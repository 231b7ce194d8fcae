import { provinceName } from "#core/places/known-names.ts";
import { findPlace } from "#core/places/places.ts";

/** What a place is called on a map, or the smallest known place around it; empty where there is none. */
export function placeNameOf(placeId: string): string {
  for (let id = placeId; id.includes("-"); id = id.slice(0, id.lastIndexOf("-"))) {
    const place = findPlace(id);
    if (place) return place.level === "province" ? provinceName(id) : place.name;
  }
  return "";
}
