/** The content of a map. Its appearance is decided by the drawing code. */
import type { FindPoint } from "../finds/find.ts";
import { type Box, boxOf, isInBox, middleOf } from "../geo/box.ts";
import type { Point } from "../geo/polyline.ts";
import { contains } from "../places/places.ts";
import type { Zone } from "../zones/city-shapes.ts";
import { townOfPlace } from "../zones/towns.ts";
import { outlineOf } from "../zones/zone-outline.ts";
import { holdsZone, type SearchedArea } from "./searched-area.ts";
import { pointOf } from "./sheets.ts";

export interface MapZone extends Zone {
  readonly isSearched: boolean;
  /** Whether there are finds in the zone without coordinates. */
  readonly isLit: boolean;
  /** A city above which its own zones are drawn. */
  readonly isCovered: boolean;
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

/** With the Balearic and the Canary Islands. */
export const SPAIN_BOX: Box = { south: 27.4, north: 43.9, west: -18.3, east: 4.6 };
const MAINLAND: Box = { south: 35.9, north: 43.9, west: -9.5, east: 4.4 };
const DISTRICT_PARTS = 8;

interface Contents {
  readonly points: readonly FindPoint[];
  readonly areas: readonly SearchedArea[];
  readonly zones: readonly Zone[];
}

export function mapModelOf({ points, areas, zones: given }: Contents): MapModel {
  const unplaced = new Set(points.map((find) => (pointOf(find) ? null : find.placeId)));
  const cities = new Set(given.flatMap(({ placeId, town }) => (town ? [] : (townOfPlace(placeId) ?? []))));
  const zones = given.map((zone) => ({
    ...zone,
    isSearched: areas.some((area) => holdsZone(area, zone)),
    isLit: [...unplaced].some(
      (placeId) => placeId !== null && !cities.has(zone.placeId) && lights(placeId, zone),
    ),
    isCovered: cities.has(zone.placeId),
  }));
  const finds = points.flatMap((find) => {
    const point = pointOf(find);
    return point ? [{ find, point }] : [];
  });
  const drawn = areas.flatMap((area) => area.rings);
  const outline = outlineOf(outermost(zones.filter(({ isSearched }) => isSearched)).map(({ ring }) => ring));
  return { zones, finds, drawn, outline, first: firstOf({ zones, finds, drawn }) };
}

/**
 * A city with zones is there twice. Its border is that of its zones, which is finer, but among its neighbours that of the
 * municipality, because theirs begin there.
 */
export function outermost<Each extends Zone>(zones: readonly Each[]): readonly Each[] {
  const towns = zones.filter(({ town }) => town);
  const cities = new Set(zones.flatMap(({ placeId, town }) => (town ? [] : (townOfPlace(placeId) ?? []))));
  const others = towns.filter(({ placeId }) => !cities.has(placeId));
  const hasCity = others.length > 0 && others.length < towns.length;
  return hasCity ? towns : [...others, ...zones.filter(({ town }) => !town)];
}

/** Several models on one map, which begins with the view of the first. */
export function joinedModel(models: readonly MapModel[]): MapModel {
  return {
    zones: models.flatMap(({ zones }) => zones),
    finds: models.flatMap(({ finds }) => finds),
    drawn: models.flatMap(({ drawn }) => drawn),
    outline: models.flatMap(({ outline }) => outline),
    first: models[0]?.first ?? MAINLAND,
  };
}

/** A find of which only the town is known lights none of its zones: it would light all of them. */
function lights(placeId: string, zone: Zone): boolean {
  if (zone.town) return townOfPlace(placeId) === zone.placeId;
  return placeId.split("-").length >= DISTRICT_PARTS && contains(placeId, zone.placeId);
}

/** A search of the whole city would show its forests, so the initial view follows the finds. */
function firstOf({ zones, finds, drawn }: Omit<MapModel, "first" | "outline">): Box {
  const searched = zones.filter(({ isSearched }) => isSearched);
  const quarters = zones.filter(({ town }) => !town);
  const isWhole = (all: readonly MapZone[]) => all.length > 0 && all.every(({ isSearched }) => isSearched);
  const area = [
    ...(isWhole(zones) || isWhole(quarters) ? [] : searched.flatMap(({ ring }) => ring)),
    ...drawn.flat(),
  ];
  const found = [
    ...withoutOutliers(finds.map(({ point }) => point)),
    ...zones.filter(({ isLit }) => isLit).flatMap(({ ring }) => ring),
  ];
  const middles = (quarters.length > 0 ? quarters : zones).map(({ box }) => middleOf(box));
  return boxOf(area) ?? boxOf(found) ?? boxOf(withoutOutliers(middles)) ?? MAINLAND;
}

function withoutOutliers(points: readonly Point[]): Point[] {
  if (points.length < 20) return [...points];
  // Typed arrays sort numbers without a function to compare them.
  const latitudes = Float64Array.from(points, ({ latitude }) => latitude).sort();
  const longitudes = Float64Array.from(points, ({ longitude }) => longitude).sort();
  const at = (sorted: Float64Array, share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const inner = {
    south: at(latitudes, 0.02),
    north: at(latitudes, 0.98),
    west: at(longitudes, 0.02),
    east: at(longitudes, 0.98),
  };
  return points.filter((point) => isInBox(inner, point));
}

export type FindLight = "kept" | "found" | "gone";

/** How brightly a find is drawn. */
export function lightOf({ mark, isGone }: FindPoint): FindLight {
  if (isGone) return "gone";
  return mark === "kept" ? "kept" : "found";
}
