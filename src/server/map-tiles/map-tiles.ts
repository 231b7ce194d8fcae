// The map's vector tiles, as the settings name them: where browsers find them, and the ranges of our own file.
import type { MapTiles } from "#core/map/map-tiles.ts";
import { createRateLimiter } from "#platform/limits/rate-limit.ts";
import { exchange, HTTP_LIMITS } from "#sources/http-exchange.ts";
import type { ServerLogger } from "../log.ts";
import type { MapTilesSettings } from "./map-tiles-settings.ts";
import { type ParsedTiles, parseTileJson } from "./parse-tile-json.ts";
import { openTileArchive, type TileArchive } from "./tile-archive.ts";

export type MapTilesServer = {
  /** Answers GET /map-tiles.json. */
  describe: () => Promise<Response>;
  /** Answers GET and HEAD /map-tiles.pmtiles. */
  serveRange: (request: { range: string | undefined; isHead: boolean; address: string }) => Promise<Response>;
  close: () => Promise<void>;
};

const FRESH_MS = 3_600_000;
const RETRY_MS = 30_000;
const MAX_TILE_JSON_BYTES = 512 * 1024;
/** A tile is at most about 500 kB; the largest directory of an archive of the planet is smaller. */
const MAX_RANGE_BYTES = 2 * 1024 * 1024;
/** A range costs one unit for each 64 kB that it begins. A screen of the map takes about 20. */
const UNIT_BYTES = 64 * 1024;
const LIMIT = { perWindow: 1_200, windowMs: 60_000, burst: 1_200 };

export async function createMapTiles(
  settings: MapTilesSettings,
  { logger, now }: { logger: ServerLogger; now: () => number },
): Promise<MapTilesServer> {
  const archive = settings.kind === "file" ? await openOrWarn(settings.path, logger) : undefined;
  const limiter = createRateLimiter(LIMIT);
  const described =
    settings.kind === "url" ? rememberTiles(settings.url, { logger, now }) : async () => archive?.described;
  return {
    describe: async () => {
      const found = await described();
      return found?.ok ? tilesAnswer(found.tiles) : refusal(503, "The map tiles are not available");
    },
    serveRange: async ({ range, isHead, address }) => {
      if (!archive?.described.ok) return refusal(404, "There is nothing here");
      const headers = headersOf(archive);
      if (isHead)
        return new Response(null, { headers: { ...headers, "content-length": String(archive.sizeBytes) } });
      const wanted = parseRange(range, archive.sizeBytes);
      if (!wanted) {
        return refusal(416, `One range of at most ${MAX_RANGE_BYTES} bytes is served`, {
          "content-range": `bytes */${archive.sizeBytes}`,
        });
      }
      const { first, length } = wanted;
      if (!limiter.take(address, now(), Math.ceil(length / UNIT_BYTES)))
        return refusal(429, "Too many requests", { "retry-after": "10" });
      const bytes = await archive.read(first, length);
      return new Response(bytes, {
        status: 206,
        headers: {
          ...headers,
          "content-length": String(bytes.length),
          "content-range": `bytes ${first}-${first + bytes.length - 1}/${archive.sizeBytes}`,
        },
      });
    },
    close: async () => archive?.close(),
  };
}

async function openOrWarn(path: string, logger: ServerLogger): Promise<TileArchive | undefined> {
  try {
    const archive = await openTileArchive(path);
    if (!archive.described.ok) logger.warn({ why: archive.described.why }, "MAP_TILES_FILE is not used");
    return archive;
  } catch (err) {
    logger.warn({ err }, "MAP_TILES_FILE cannot be read; the map shows no streets");
    return undefined;
  }
}

/** Asks the tile server at most once in half a minute, however many people look at the map. */
function rememberTiles(url: string, { logger, now }: { logger: ServerLogger; now: () => number }) {
  let last: { atMs: number; found: Promise<ParsedTiles | undefined>; isGood: boolean } | undefined;
  return () => {
    if (last && now() - last.atMs < (last.isGood ? FRESH_MS : RETRY_MS)) return last.found;
    const asked = { atMs: now(), isGood: false, found: ask() };
    async function ask() {
      const found = await fetchTileJson(url).catch((err: unknown) => {
        logger.warn({ err }, "MAP_TILES_URL does not answer");
        return undefined;
      });
      if (found && !found.ok) logger.warn({ why: found.why }, "the answer of MAP_TILES_URL is refused");
      asked.isGood = found?.ok === true;
      return found;
    }
    last = asked;
    return asked.found;
  };
}

export async function fetchTileJson(url: string): Promise<ParsedTiles> {
  const { status, text } = await exchange(
    "map tiles",
    { url, method: "GET", headers: { accept: "application/json" } },
    { ...HTTP_LIMITS, maxBodyBytes: MAX_TILE_JSON_BYTES },
  );
  return status === 200 ? parseTileJson(text, url) : { ok: false, why: `answers ${status}` };
}

function parseRange(
  range: string | undefined,
  sizeBytes: number,
): { first: number; length: number } | undefined {
  const [, from, to] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range ?? "") ?? [];
  if (from === undefined || to === undefined) return undefined;
  const [first, last] = [Number(from), Math.min(Number(to), sizeBytes - 1)];
  const length = last - first + 1;
  return first < sizeBytes && length > 0 && length <= MAX_RANGE_BYTES ? { first, length } : undefined;
}

function headersOf({ etag }: TileArchive): Record<string, string> {
  return {
    "accept-ranges": "bytes",
    "cache-control": "public, max-age=86400",
    "content-type": "application/vnd.pmtiles",
    etag,
  };
}

function tilesAnswer(tiles: MapTiles): Response {
  return Response.json(tiles, { headers: { "cache-control": "no-cache" } });
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const code = status === 429 ? "over_request_rate_limit" : "map_tiles";
  return Response.json({ code, message }, { status, headers: { ...headers, "cache-control": "no-store" } });
}
