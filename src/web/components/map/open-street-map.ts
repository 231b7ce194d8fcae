import type { MapModel } from "#core/map/map-model.ts";

const EARTH_AROUND_M = 40_075_000;
const TILE_PIXELS = 256;
const SCREEN_PIXELS = 700;

/** Where a person can look at the same part of the world with its streets. A plain link: nothing is loaded from there. */
export function openStreetMapUrl({ first, plane }: MapModel): string {
  const middle = plane.pointOf({ x: (first.west + first.east) / 2, y: (first.north + first.south) / 2 });
  const reach = Math.max(first.east - first.west, first.south - first.north, 1_000);
  const metresPerPixel = reach / SCREEN_PIXELS;
  const atZoom0 = (EARTH_AROUND_M * Math.cos((middle.latitude * Math.PI) / 180)) / TILE_PIXELS;
  const zoom = Math.max(5, Math.min(17, Math.floor(Math.log2(atZoom0 / metresPerPixel))));
  return `https://www.openstreetmap.org/#map=${zoom}/${middle.latitude.toFixed(5)}/${middle.longitude.toFixed(5)}`;
}
