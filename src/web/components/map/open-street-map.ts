import { type Box, METRES_PER_DEGREE, middleOf } from "#core/geo/box.ts";

const METRES_AT_ZOOM_0 = 40_075_000;
const SCREEN_TILES = 3;

/** Where a person can look at the same part of the world with its streets. A plain link: nothing is loaded from there. */
export function openStreetMapUrl(box: Box): string {
  const { latitude, longitude } = middleOf(box);
  const acrossM = Math.max((box.east - box.west) * METRES_PER_DEGREE, 1_000);
  const zoom = Math.max(5, Math.min(17, Math.floor(Math.log2((METRES_AT_ZOOM_0 * SCREEN_TILES) / acrossM))));
  return `https://www.openstreetmap.org/#map=${zoom}/${latitude.toFixed(5)}/${longitude.toFixed(5)}`;
}
