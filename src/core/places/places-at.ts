import { METRES_PER_DEGREE, radians } from "../geo/box.ts";
import type { Point } from "../geo/polyline.ts";
import type { Zone } from "../zones/city-shapes.ts";
import { loadLand, provinceAt } from "../zones/land.ts";
import { loadZones } from "../zones/load-shapes.ts";
import { zoneAt } from "../zones/zone-at.ts";
import { ancestorsOf, findPlace, type Place } from "./places.ts";

/** A point this far outside all zones, in a park or on a beach, still counts for the nearest one. */
const NEAR_M = 500;

/** The zone of a shared location, then the places around it up to the town. Empty where the catalogue has no town. */
export async function placesAt(point: Point): Promise<readonly Place[]> {
  const provinceId = provinceAt(await loadLand(), point);
  if (provinceId === null) return [];
  const zones = await loadZones(provinceId);
  return placesAround((zoneAt(zones, point) ?? nearestZone(zones, point))?.placeId ?? "");
}

/** The place with this id, or the nearest around it that the catalogue has, up to the town. */
export function placesAround(placeId: string): readonly Place[] {
  const parts = placeId.split("-");
  for (let length = parts.length; length >= 4; length -= 1) {
    const place = findPlace(parts.slice(0, length).join("-"));
    if (place !== undefined)
      return [place, ...ancestorsOf(place.id)].filter(({ level }) => level !== "province");
  }
  return [];
}

function nearestZone(zones: readonly Zone[], point: Point): Zone | undefined {
  const scale = Math.cos(radians(point.latitude));
  const awayOf = ({ ring }: Zone) =>
    Math.min(
      ...ring.map(({ latitude, longitude }) =>
        Math.hypot((longitude - point.longitude) * scale, latitude - point.latitude),
      ),
    ) * METRES_PER_DEGREE;
  const [nearest] = zones.map((zone) => ({ zone, away: awayOf(zone) })).toSorted((a, b) => a.away - b.away);
  return nearest && nearest.away <= NEAR_M ? nearest.zone : undefined;
}
