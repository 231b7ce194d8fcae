/** Streets, water, parks and stations from the operator's vector tiles. Without any, or while they fail, the map has none. */
import type { FeatureLike } from "ol/Feature.js";
import MVT from "ol/format/MVT.js";
import VectorTileLayer from "ol/layer/VectorTile.js";
import type RenderFeature from "ol/render/Feature.js";
import VectorTileSource from "ol/source/VectorTile.js";
import type Tile from "ol/Tile.js";
import { createXYZ } from "ol/tilegrid.js";
import VectorTile from "ol/VectorTile.js";
import { PMTiles } from "pmtiles";
import { MAP_TILES_PATH, type MapTiles, TILE_LAYERS } from "#core/map/map-tiles.ts";
import { zoneAt } from "#core/zones/zone-at.ts";
import { loadConfig } from "#web/lib/backend/site-config.ts";
import { loadAgain } from "#web/lib/parts/load-again.ts";
import { SLOW_MS } from "#web/lib/site/constants.ts";
import { pointAt } from "./coordinates.ts";
import type { MapContents } from "./map-contents.ts";
import { streetStyle } from "./street-styles.ts";

export interface StreetsState {
  readonly hasStreets: boolean;
  /** True while the source fails or is slow. */
  readonly isFailing: boolean;
  readonly attribution: string | null;
}

export interface StreetLayer {
  readonly layer: VectorTileLayer;
  readonly start: () => Promise<void>;
  readonly setContents: (contents: MapContents) => void;
  readonly dispose: () => void;
}

const TIMEOUT_MS = 20_000;
const RETRY_MS = 30_000;

type LoadTile = (place: readonly number[], signal: AbortSignal) => Promise<ArrayBuffer | undefined>;

export function createStreetLayer(
  firstContents: MapContents,
  onState: (state: StreetsState) => void,
): StreetLayer {
  let { palette, model } = firstContents;
  let state: StreetsState = { hasStreets: false, isFailing: false, attribution: null };
  const isInZone = (feature: FeatureLike) => {
    const [x = 0, y = 0] = feature.getGeometry()?.getExtent() ?? [];
    return zoneAt(model.zones, pointAt([x, y])) !== undefined;
  };
  const ended = new AbortController();
  let retry: ReturnType<typeof setTimeout> | undefined;
  const layer = new VectorTileLayer({
    style: streetStyle(palette, isInZone),
    declutter: true,
    zIndex: 0,
    visible: false,
  });
  const change = (next: Partial<StreetsState>) => {
    const changed = { ...state, ...next };
    const isSame = (Object.keys(changed) as (keyof StreetsState)[]).every(
      (key) => changed[key] === state[key],
    );
    if (isSame || ended.signal.aborted) return;
    state = changed;
    layer.setBackground(state.hasStreets ? palette.tiles.ground : palette.sea);
    onState(state);
  };
  const fail = (again: () => void) => {
    change({ isFailing: true });
    clearTimeout(retry);
    if (!ended.signal.aborted) retry = setTimeout(again, RETRY_MS);
  };
  /** Reports a failure, and slowness while it lasts. */
  const watched = async <T>(load: (signal: AbortSignal) => Promise<T>, again: () => void): Promise<T> => {
    const slow = setTimeout(() => fail(again), SLOW_MS);
    try {
      const loaded = await load(AbortSignal.any([ended.signal, AbortSignal.timeout(TIMEOUT_MS)]));
      clearTimeout(retry);
      change({ isFailing: false });
      return loaded;
    } catch (error) {
      fail(again);
      throw error;
    } finally {
      clearTimeout(slow);
    }
  };
  const open = (tiles: MapTiles) => {
    change({ attribution: tiles.attribution });
    // A new source for each attempt: refresh() keeps the tiles that failed.
    layer.setSource(createSource(tiles, (load) => watched(load, () => open(tiles)).then(shown)));
    layer.setVisible(true);
  };
  const shown = <T>(loaded: T): T => {
    change({ hasStreets: true });
    return loaded;
  };
  const start = async () => {
    if (!(await hasTiles(ended.signal)) || ended.signal.aborted) return;
    const tiles = await watched(fetchMapTiles, () => void start()).catch(() => undefined);
    if (tiles && !ended.signal.aborted) open(tiles);
  };
  layer.setBackground(palette.sea);
  return {
    layer,
    start,
    setContents: (next) => {
      const isOtherPalette = next.palette !== palette;
      ({ palette, model } = next);
      if (!isOtherPalette) return;
      layer.setStyle(streetStyle(palette, isInZone));
      layer.setBackground(state.hasStreets ? palette.tiles.ground : palette.sea);
    },
    dispose: () => {
      ended.abort();
      clearTimeout(retry);
    },
  };
}

/** Asks until the settings are known. Nothing is said meanwhile: an operator may have no tiles at all. */
function hasTiles(signal: AbortSignal): Promise<boolean> {
  return loadAgain(
    async () => !signal.aborted && (await loadConfig()).hasMapTiles,
    () => {},
  );
}

async function fetchMapTiles(signal: AbortSignal): Promise<MapTiles> {
  const answer = await fetch(MAP_TILES_PATH, { signal });
  if (!answer.ok) throw new Error(`${MAP_TILES_PATH} answered ${answer.status}`);
  return answer.json();
}

type Watch = (load: (signal: AbortSignal) => Promise<RenderFeature[]>) => Promise<RenderFeature[]>;

function createSource(tiles: MapTiles, watch: Watch): VectorTileSource {
  const format = new MVT({ layers: [...TILE_LAYERS] });
  const loadTile = tiles.kind === "archive" ? archiveTiles(tiles) : singleTiles(tiles);
  return new VectorTileSource({
    format,
    tileGrid: createXYZ({ minZoom: tiles.minZoom, maxZoom: tiles.maxZoom, tileSize: 512 }),
    tileUrlFunction: (place) => place.join("/"),
    tileLoadFunction: (tile: Tile, place: string) => {
      if (!(tile instanceof VectorTile)) return;
      tile.setLoader(((extent: number[], _resolution: number, projection: string) => {
        const load = async (signal: AbortSignal) => {
          const bytes = await loadTile(place.split("/").map(Number), signal);
          return bytes ? format.readFeatures(bytes, { extent, featureProjection: projection }) : [];
        };
        watch(load).then(
          (features) => tile.setFeatures(features),
          () => tile.onError(),
        );
      }) as never);
    },
  });
}

const NO_TILE = [204, 404];

function singleTiles({ url }: MapTiles): LoadTile {
  return async ([z = 0, x = 0, y = 0], signal) => {
    const address = url.replace("{z}", String(z)).replace("{x}", String(x)).replace("{y}", String(y));
    const answer = await fetch(address, { signal, credentials: "omit", referrerPolicy: "no-referrer" });
    if (NO_TILE.includes(answer.status)) return undefined;
    if (!answer.ok) throw new Error(`The tile server answered ${answer.status}`);
    return answer.arrayBuffer();
  };
}

function archiveTiles({ url }: MapTiles): LoadTile {
  const archive = new PMTiles(new URL(url, location.href).href);
  return async ([z = 0, x = 0, y = 0], signal) => (await archive.getZxy(z, x, y, signal))?.data;
}
