import { type Box, boxOf } from "../geo/box.ts";
import { decodePolyline, type Point } from "../geo/polyline.ts";

/** The zones of a city as scripts/zones/draw-zones.ts writes them. A border between two zones is stored once. */
export interface CityShapes {
  readonly cityId: string;
  /** Google encoded polylines, separated by spaces. */
  readonly borders: string;
  /** The id after the city's prefix, to the borders around the zone; ~n is border n in reverse. */
  readonly zones: Readonly<Record<string, readonly number[]>>;
}

export interface Zone {
  readonly placeId: string;
  /** The first point is not repeated at the end. */
  readonly ring: readonly Point[];
  readonly box: Box;
  /** Of a municipality, which may have several parts. The largest is part 0. */
  readonly town?: { readonly name: string; readonly part: number };
}

/** The attribution that the licence of the zone data requires. Shown wherever the zones are. */
export const ZONES_ATTRIBUTION = "idealista18 (Rey, Arbues, Lopez, Paez), ODbL 1.0";
export const ZONES_LICENCE_URL = "https://opendatacommons.org/licenses/odbl/1-0/";

const decoded = new WeakMap<CityShapes, readonly Zone[]>();

export function zonesOf(shapes: CityShapes): readonly Zone[] {
  const known = decoded.get(shapes);
  if (known) return known;
  const borders = shapes.borders.split(" ").map((border) => decodePolyline(border) ?? []);
  const zones = Object.entries(shapes.zones).flatMap(([suffix, parts]) => {
    // Each border ends where the next one begins.
    const ring = parts.flatMap((part) =>
      (part < 0 ? (borders[~part] ?? []).toReversed() : (borders[part] ?? [])).slice(1),
    );
    const box = boxOf(ring);
    return box ? [{ placeId: `${shapes.cityId}-${suffix}`, ring, box }] : [];
  });
  decoded.set(shapes, zones);
  return zones;
}
