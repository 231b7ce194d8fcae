/** The content of one map, in metres on its plane. Its appearance is decided by the drawing code. */
import type { FindPoint } from "../finds/find.ts";
import type { Point } from "../geo/polyline.ts";
import { contains } from "../places/places.ts";
import type { Zone } from "../zones/city-shapes.ts";
import type { Window } from "./facades.ts";
import { type Bounds, boundsOf, type Plane, planeAround, type Spot } from "./plane.ts";
import { holdsZone, type SearchedArea } from "./searched-area.ts";
import { pointOf } from "./sheets.ts";
import { outlineOf, roomiestSpotOf } from "./zone-geometry.ts";

export interface MapZone {
  readonly placeId: string;
  readonly ring: readonly Spot[];
  readonly bounds: Bounds;
  /** Where a label has the most space. */
  readonly label: Spot;
  readonly isSearched: boolean;
  /** Finds in the zone without coordinates. */
  readonly litBy: readonly FindPoint[];
}

export interface MapModel {
  readonly plane: Plane;
  readonly zones: readonly MapZone[];
  readonly windows: readonly Window[];
  /** The border around the searched zones, in pieces, and the drawn areas. */
  readonly outline: readonly (readonly Spot[])[];
  readonly drawn: readonly (readonly Spot[])[];
  /** The bounds for panning, and the initial view. */
  readonly bounds: Bounds;
  readonly first: Bounds;
}

interface Contents {
  readonly points: readonly FindPoint[];
  readonly areas: readonly SearchedArea[];
  readonly zones: readonly Zone[];
  /** A saved place, shown if there is nothing else. */
  readonly others?: readonly Point[];
}

const SPAIN = { latitude: 40.4168, longitude: -3.7038 };
const DISTRICT_PARTS = 8;
const AROUND_M = 2_500;

export function mapModelOf({ points, areas, zones, others = [] }: Contents): MapModel {
  const rings = areas.flatMap((area) => area.rings);
  const placed = points.flatMap((find) => pointOf(find) ?? []);
  const corners = [...zones.flatMap(({ ring }) => ring), ...rings.flat()];
  const plane = planeAround(middleOf(corners.length > 0 ? corners : [...placed, ...others]));
  const spotsOf = (ring: readonly Point[]) => ring.map(plane.spotOf);
  const windows = points.flatMap((find) => {
    const point = pointOf(find);
    return point ? [{ spot: plane.spotOf(point), find }] : [];
  });
  const unplaced = points.filter((find) => !pointOf(find));
  const mapZones = zones.map((zone) => zoneOf(zone, spotsOf(zone.ring), { areas, unplaced }));
  const searched = mapZones.filter(({ isSearched }) => isSearched);
  const drawn = rings.map(spotsOf);
  const seen = [...windows.map(({ spot }) => spot), ...drawn.flat(), ...others.map(plane.spotOf)];
  const all = boundsOf([...mapZones.flatMap(({ ring }) => ring), ...seen]) ?? around({ x: 0, y: 0 });
  return {
    plane,
    zones: mapZones,
    windows,
    outline: outlineOf(searched.map(({ ring }) => ring)),
    drawn,
    bounds: all,
    first: firstOf({ mapZones, searched, drawn, windows }, others.map(plane.spotOf)) ?? all,
  };
}

function zoneOf(
  zone: Zone,
  ring: readonly Spot[],
  { areas, unplaced }: { areas: readonly SearchedArea[]; unplaced: readonly FindPoint[] },
): MapZone {
  return {
    placeId: zone.placeId,
    ring,
    bounds: boundsOf(ring) ?? around({ x: 0, y: 0 }),
    label: roomiestSpotOf(ring),
    isSearched: areas.some((area) => holdsZone(area, zone)),
    litBy: unplaced.filter(({ placeId }) => placeId !== null && lights(placeId, zone.placeId)),
  };
}

/** A find of which only the town is known lights no zone: it would light all of them. */
function lights(placeId: string, zoneId: string): boolean {
  return placeId.split("-").length >= DISTRICT_PARTS && contains(placeId, zoneId);
}

interface Seen {
  readonly mapZones: readonly MapZone[];
  readonly searched: readonly MapZone[];
  readonly drawn: readonly (readonly Spot[])[];
  readonly windows: readonly Window[];
}

/** A search of the whole city would show its forests, so the initial view follows the finds. */
function firstOf({ mapZones, searched, drawn, windows }: Seen, [other]: readonly Spot[]): Bounds | undefined {
  const isWholeCity = searched.length === mapZones.length;
  const area = [...(isWholeCity ? [] : searched.flatMap(({ ring }) => ring)), ...drawn.flat()];
  const lit = mapZones.filter(({ litBy }) => litBy.length > 0).flatMap(({ ring }) => ring);
  if (area.length === 0 && windows.length === 0 && lit.length === 0) {
    return other ? around(other) : boundsOf(mostOf(mapZones.map(({ label }) => label)));
  }
  return boundsOf(area.length > 0 ? area : [...mostOf(windows.map(({ spot }) => spot)), ...lit]);
}

/** Without the outliers. */
function mostOf(spots: readonly Spot[]): Spot[] {
  if (spots.length < 20) return [...spots];
  const inner = (values: readonly number[]) => {
    const sorted = values.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return { from: at(0.02), to: at(0.98) };
  };
  const x = inner(spots.map((spot) => spot.x));
  const y = inner(spots.map((spot) => spot.y));
  return spots.filter((spot) => spot.x >= x.from && spot.x <= x.to && spot.y >= y.from && spot.y <= y.to);
}

function middleOf(points: readonly Point[]): Point {
  if (points.length === 0) return SPAIN;
  const bounds = boundsOf(points.map(({ latitude, longitude }) => ({ x: longitude, y: latitude })));
  if (!bounds) return SPAIN;
  return { latitude: (bounds.north + bounds.south) / 2, longitude: (bounds.west + bounds.east) / 2 };
}

function around({ x, y }: Spot): Bounds {
  return { west: x - AROUND_M, east: x + AROUND_M, north: y - AROUND_M, south: y + AROUND_M };
}
