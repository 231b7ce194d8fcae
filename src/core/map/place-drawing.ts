/** The picture of a place: its zone, the surrounding zones, and the home as a lit window. */
import type { Point } from "../geo/polyline.ts";
import { ZONES_ATTRIBUTION, type Zone } from "../zones/city-shapes.ts";
import { NIGHT } from "./palette.ts";
import { boundsOf, type Plane, planeAround, type Spot } from "./plane.ts";
import { addGlow, createRaster, fillRings, type Raster, strokeLines } from "./raster.ts";
import { textWidth, writeText } from "./raster-text.ts";
import { type Pixel, pixelOf, type View, viewOf } from "./view.ts";
import { roofOf, roomiestSpotOf } from "./zone-geometry.ts";

/** What all homes of a zone have in common. */
export interface Ground {
  readonly raster: Raster;
  readonly plane: Plane;
  readonly view: View;
  readonly ring: readonly Spot[];
}

const SIZE = { width: 800, height: 500 };
const MARGIN = 140;
const OWN_ROOF = "#2a3b6c";
const STREET = { color: "#7e98d0", opacity: 0.4, lineWidth: 1.6 };
const AMBER = "#f5a524";

export function drawGround(zone: Zone, zones: readonly Zone[]): Ground {
  const raster = createRaster(SIZE, NIGHT.land);
  const plane = planeAround(zone.ring[0] ?? { latitude: 0, longitude: 0 });
  const ring = zone.ring.map(plane.spotOf);
  const view = viewOf(boundsOf(ring) ?? { west: 0, east: 0, north: 0, south: 0 }, SIZE, MARGIN);
  const pixelsOf = (spots: readonly Spot[]) => spots.map((spot) => pixelOf(view, SIZE, spot));
  const seen = zones
    .map(({ placeId, ring: corners }) => ({ placeId, pixels: pixelsOf(corners.map(plane.spotOf)) }))
    .filter(({ pixels }) => isSeen(pixels));
  const district = zone.placeId.slice(0, zone.placeId.lastIndexOf("-") + 1);
  for (const { placeId, pixels } of seen) {
    const roof = roofOf(placeId, placeId.startsWith(district) ? NIGHT.searchedRoofs : NIGHT.roofs);
    fillRings(raster, [pixels], { color: placeId === zone.placeId ? OWN_ROOF : roof });
  }
  strokeLines(
    raster,
    seen.map(({ pixels }) => closed(pixels)),
    STREET,
  );
  const outline = [closed(pixelsOf(ring))];
  strokeLines(raster, outline, { color: NIGHT.outline, opacity: 0.2, lineWidth: 9 });
  strokeLines(raster, outline, { color: NIGHT.outline, lineWidth: 2.4 });
  writeSource(raster);
  return { raster, plane, view, ring };
}

/** The home's window, or a glow in its zone if the position is unknown. */
export function drawPlace({ raster: ground, plane, view, ring }: Ground, point: Point | undefined): Raster {
  const raster = { ...ground, rgb: ground.rgb.slice() };
  const at = pixelOf(view, SIZE, point ? plane.spotOf(point) : roomiestSpotOf(ring));
  if (!point) {
    const pixels = ring.map((spot) => pixelOf(view, SIZE, spot));
    fillRings(raster, [pixels], { color: AMBER, opacity: 0.24 });
  }
  addGlow(raster, at, { color: AMBER, opacity: point ? 0.75 : 0.4, radius: 110 });
  if (point) lightWindow(raster, at);
  return raster;
}

const PANE = { width: 9, height: 12, gap: 2.5 };

/** A window with its bars, large enough to be noticed. */
function lightWindow(raster: Raster, { left, top }: Pixel): void {
  addGlow(raster, { left, top }, { color: "#ffd98a", opacity: 0.9, radius: 42 });
  const panes = [-1, 0].flatMap((column) =>
    [-1, 0].map((row) =>
      boxAt(
        left + column * (PANE.width + PANE.gap) + PANE.gap / 2,
        top + row * (PANE.height + PANE.gap) + PANE.gap / 2,
      ),
    ),
  );
  fillRings(raster, panes, { color: NIGHT.keptWindow });
}

function boxAt(left: number, top: number): Pixel[] {
  const right = left + PANE.width;
  const bottom = top + PANE.height;
  return [
    { left, top },
    { left: right, top },
    { left: right, top: bottom },
    { left, top: bottom },
  ];
}

function writeSource(raster: Raster): void {
  const dot = 2;
  const at = { left: SIZE.width - textWidth(ZONES_ATTRIBUTION, dot) - 8, top: SIZE.height - 24 };
  writeText(raster, ZONES_ATTRIBUTION, { at, dot, color: NIGHT.label, opacity: 0.5 });
}

function closed(pixels: readonly Pixel[]): Pixel[] {
  return [...pixels, ...pixels.slice(0, 1)];
}

function isSeen(pixels: readonly Pixel[]): boolean {
  const lefts = pixels.map(({ left }) => left);
  const tops = pixels.map(({ top }) => top);
  return (
    Math.max(...lefts) > 0 &&
    Math.min(...lefts) < SIZE.width &&
    Math.max(...tops) > 0 &&
    Math.min(...tops) < SIZE.height
  );
}
