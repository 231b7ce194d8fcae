import { fetchTileJson } from "../map-tiles/map-tiles.ts";
import { openTileArchive } from "../map-tiles/tile-archive.ts";
import { type Check, type Finding, notSet, ok, wrong } from "./finding.ts";

const WAIT_MS = 8_000;
/** A tile that every set of Spain has: the one with Madrid. */
const MADRID = { z: 6, x: 31, y: 24 };

/** Asks for what browsers will ask for: the description, and one tile. */
export const checkMapTiles: Check = async ({ MAP_TILES_URL: url, MAP_TILES_FILE: file }) => {
  if (url !== undefined) return checkTileServer(url);
  if (file !== undefined) return checkTileFile(file);
  return notSet("the map shows areas without streets");
};

async function checkTileServer(url: string): Promise<Finding> {
  const { host } = new URL(url);
  const found = await fetchTileJson(url).catch(() => undefined);
  if (!found) return wrong(`${host} cannot be reached: check MAP_TILES_URL`);
  if (!found.ok) return wrong(`MAP_TILES_URL ${found.why}`);
  const { minZoom, maxZoom } = found.tiles;
  const z = Math.min(maxZoom, Math.max(minZoom, MADRID.z));
  const placeAt = (place: number) => Math.floor(place * 2 ** (z - MADRID.z));
  const address = found.tiles.url
    .replace("{z}", String(z))
    .replace("{x}", String(placeAt(MADRID.x)))
    .replace("{y}", String(placeAt(MADRID.y)));
  const answer = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(WAIT_MS) }).catch(
    () => undefined,
  );
  await answer?.body?.cancel();
  if (!answer?.ok)
    return wrong(`${host} describes its tiles, but does not send the one with Madrid: check MAP_TILES_URL`);
  return ok(`${host} sends tiles up to zoom ${maxZoom}`);
}

async function checkTileFile(file: string): Promise<Finding> {
  const archive = await openTileArchive(file).catch(() => undefined);
  if (!archive) return wrong("MAP_TILES_FILE cannot be read: check its path and rights");
  await archive.close();
  const { described, sizeBytes } = archive;
  if (!described.ok) return wrong(`MAP_TILES_FILE ${described.why}`);
  return ok(
    `a file of ${Math.ceil(sizeBytes / 1024 ** 2)} MB with tiles up to zoom ${described.tiles.maxZoom}`,
  );
}
