/** The content of a map. Its appearance is decided by the drawing code. */
import type { FindPoint } from "../finds/find.ts";
import { type Box, boxOf, middleOf, widened } from "../geo/box.ts";
import type { Point } from "../geo/polyline.ts";
import { contains } from "../places/places.ts";
import type { Zone } from "../zones/city-shapes.ts";
import { outlineOf } from "../zones/zone-outline.ts";
import { holdsZone, type SearchedArea } from "./searched-area.ts";
import { pointOf } from "./sheets.ts";

export interface MapZone extends Zone {
  readonly isSearched: boolean;
  /** Whether there are finds in the zone without coordinates. */
  readonly isLit: boolean;
}

export interface PlacedFind {
  readonly find: FindPoint;
  readonly point: Point;
}

export interface MapModel {
  readonly zones: readonly MapZone[];
  readonly finds: readonly PlacedFind[];
  /** The border around the searched zones, in pieces, and the drawn areas. */
  readonly outline: readonly (readonly Point[])[];
  readonly drawn: readonly (readonly Point[])[];
  /** The initial view. */
  readonly first: Box;
}

interface Contents {
  readonly points: readonly FindPoint[];
  readonly areas: readonly SearchedArea[];
  readonly zones: readonly Zone[];
  /** A saved place, shown if there is nothing else. */
  readonly others?: readonly Point[];
}

/** With the Balearic and the Canary Islands. */
export const SPAIN_BOX: Box = { south: 27.4, north: 43.9, west: -18.3, east: 4.6 };
const MAINLAND: Box = { south: 35.9, north: 43.9, west: -9.5, east: 4.4 };
const DISTRICT_PARTS = 8;
const AROUND_M = 2_500;

export function mapModelOf(contents: Contents): MapModel {
  const { points, areas } = contents;
  const unplaced = points.filter((find) => !pointOf(find));
  const zones = contents.zones.map((zone) => ({
    ...zone,
    isSearched: areas.some((area) => holdsZone(area, zone)),
    isLit: unplaced.some(({ placeId }) => placeId !== null && lights(placeId, zone.placeId)),
  }));
  const finds = points.flatMap((find) => {
    const point = pointOf(find);
    return point ? [{ find, point }] : [];
  });
  const drawn = areas.flatMap((area) => area.rings);
  const outline = outlineOf(zones.filter(({ isSearched }) => isSearched).map(({ ring }) => ring));
  return { zones, finds, drawn, outline, first: firstOf({ zones, finds, drawn }, contents.others ?? []) };
}

/** A find of which only the town is known lights no zone: it would light all of them. */
function lights(placeId: string, zoneId: string): boolean {
  return placeId.split("-").length >= DISTRICT_PARTS && contains(placeId, zoneId);
}

/** A search of the whole city would show its forests, so the initial view follows the finds. */
function firstOf(
  { zones, finds, drawn }: Omit<MapModel, "first" | "outline">,
  others: readonly Point[],
): Box {
  const searched = zones.filter(({ isSearched }) => isSearched);
  const isWholeCity = searched.length === zones.length;
  const area = [...(isWholeCity ? [] : searched.flatMap(({ ring }) => ring)), ...drawn.flat()];
  const found = [
    ...withoutOutliers(finds.map(({ point }) => point)),
    ...zones.filter(({ isLit }) => isLit).flatMap(({ ring }) => ring),
  ];
  const box = boxOf(area) ?? boxOf(found) ?? boxOf(others.slice(0, 1));
  const middles = zones.flatMap(({ ring }) => boxOf(ring) ?? []).map(middleOf);
  return (box && atLeast(box)) ?? boxOf(withoutOutliers(middles)) ?? MAINLAND;
}

/** A single point is shown with its surroundings. */
function atLeast(box: Box): Box {
  const around = widened(pointBoxOf(middleOf(box)), AROUND_M / 4);
  return {
    south: Math.min(box.south, around.south),
    north: Math.max(box.north, around.north),
    west: Math.min(box.west, around.west),
    east: Math.max(box.east, around.east),
  };
}

function pointBoxOf({ latitude, longitude }: Point): Box {
  return { south: latitude, north: latitude, west: longitude, east: longitude };
}

function withoutOutliers(points: readonly Point[]): Point[] {
  if (points.length < 20) return [...points];
  const inner = (values: readonly number[]) => {
    const sorted = values.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return { from: at(0.02), to: at(0.98) };
  };
  const latitudes = inner(points.map(({ latitude }) => latitude));
  const longitudes = inner(points.map(({ longitude }) => longitude));
  return points.filter(
    ({ latitude, longitude }) =>
      latitude >= latitudes.from &&
      latitude <= latitudes.to &&
      longitude >= longitudes.from &&
      longitude <= longitudes.to,
  );
}

export type FindLight = "kept" | "found" | "gone";

/** How brightly a find is drawn. */
export function lightOf({ mark, isGone }: FindPoint): FindLight {
  if (isGone) return "gone";
  return mark === "kept" ? "kept" : "found";
}
