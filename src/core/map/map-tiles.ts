/** Where the streets of the map come from, as the server answers to the map. */
export interface MapTiles {
  /** Single tiles by a template with {z}, {x} and {y}, or ranges of a PMTiles archive. */
  readonly kind: "tiles" | "archive";
  readonly url: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Plain text. */
  readonly attribution: string;
}

export const MAP_TILES_PATH = "/map-tiles.json";
export const TILE_ARCHIVE_PATH = "/map-tiles.pmtiles";
/** Of the OpenMapTiles schema, what the map draws. https://openmaptiles.org/schema/ */
export const TILE_LAYERS = [
  "water",
  "waterway",
  "landcover",
  "park",
  "building",
  "transportation",
  "transportation_name",
  "place",
  "poi",
] as const;
