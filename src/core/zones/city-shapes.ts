import { decodePolyline, type Point } from "../geo/polyline.ts";

/** The zones of a city as scripts/zones/draw-zones.ts writes them: neighbours share their border, which stands there once. */
export interface CityShapes {
  readonly cityId: string;
  /** Google encoded polylines, parted by spaces. */
  readonly borders: string;
  /** What follows the city's id, to the borders around the zone; ~n is border n walked backwards. */
  readonly zones: Readonly<Record<string, readonly number[]>>;
}

export interface Zone {
  readonly placeId: string;
  /** Closed by going back to the first. */
  readonly ring: readonly Point[];
}

/** Whose drawing the zones are, as its authors write it. Shown wherever the zones are. */
export const ZONES_ATTRIBUTION = "idealista18 (Rey, Arbues, Lopez, Paez), ODbL 1.0";
export const ZONES_LICENCE_URL = "https://opendatacommons.org/licenses/odbl/1-0/";

const decoded = new WeakMap<CityShapes, readonly Zone[]>();

export function zonesOf(shapes: CityShapes): readonly Zone[] {
  const known = decoded.get(shapes);
  if (known) return known;
  const borders = shapes.borders.split(" ").map((border) => decodePolyline(border) ?? []);
  const zones = Object.entries(shapes.zones).map(([suffix, parts]) => ({
    placeId: `${shapes.cityId}-${suffix}`,
    // Each border ends where the next begins.
    ring: parts.flatMap((part) =>
      (part < 0 ? (borders[~part] ?? []).toReversed() : (borders[part] ?? [])).slice(1),
    ),
  }));
  decoded.set(shapes, zones);
  return zones;
}
