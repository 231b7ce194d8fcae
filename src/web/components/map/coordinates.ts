import type { Coordinate } from "ol/coordinate.js";
import { fromLonLat, toLonLat } from "ol/proj.js";
import type { Box } from "#core/geo/box.ts";
import type { Point } from "#core/geo/polyline.ts";

/** Web Mercator, in which vector tiles are cut. */
export const PROJECTION = "EPSG:3857";

export function coordinateOf({ latitude, longitude }: Point): Coordinate {
  return fromLonLat([longitude, latitude]);
}

export function pointAt(coordinate: Coordinate): Point {
  const [longitude = 0, latitude = 0] = toLonLat(coordinate);
  return { latitude, longitude };
}

export function extentOf({ south, north, west, east }: Box): number[] {
  return [...fromLonLat([west, south]), ...fromLonLat([east, north])];
}

/** On a phone with a dense screen, drawing at its full resolution costs more than it shows. */
const MAX_PIXEL_RATIO = 2;

export function mapPixelRatio(): number {
  return Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio || 1);
}
