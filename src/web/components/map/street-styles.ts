/** The operator's tiles in our colours, drawn quietly under the finds. Layers and classes: https://openmaptiles.org/schema/ */
import type { FeatureLike } from "ol/Feature.js";
import CircleStyle from "ol/style/Circle.js";
import Fill from "ol/style/Fill.js";
import Stroke from "ol/style/Stroke.js";
import Style, { type StyleFunction } from "ol/style/Style.js";
import Text from "ol/style/Text.js";
import type { TILE_LAYERS } from "#core/map/map-tiles.ts";
import type { Palette } from "#core/map/palette.ts";
import { FONT } from "./zone-styles.ts";

type TileLayer = (typeof TILE_LAYERS)[number];
type FeatureStyle = (feature: FeatureLike, resolution: number) => Style | undefined;

/** Our zones have names of their own: there the tiles' names of quarters would be second ones. */
export function streetStyle(
  { tiles, labelEdge }: Palette,
  isInZone: (place: FeatureLike) => boolean,
): StyleFunction {
  const edge = new Stroke({ color: labelEdge, width: 2.5 });
  const filled = (color: string) => new Style({ fill: new Fill({ color }) });
  const water = filled(tiles.water);
  const stream = new Style({ stroke: new Stroke({ color: tiles.water, width: 1.4 }) });
  const green = filled(tiles.green);
  const building = filled(tiles.building);
  const styles: Record<TileLayer, FeatureStyle> = {
    water: () => water,
    // Not brooks in pipes.
    waterway: (feature) => (feature.get("brunnel") === "tunnel" ? undefined : stream),
    landcover: (feature) => (GREEN.has(feature.get("class")) ? green : undefined),
    park: () => green,
    building: nearerThan(3, () => building),
    transportation: roadStyle(tiles),
    // The exits of motorways have names too.
    transportation_name: nearerThan(4, (feature) =>
      feature.get("name") && feature.get("subclass") !== "junction"
        ? new Style({
            text: nameOf(feature, { color: tiles.name, edge, font: `500 11px ${FONT}`, isOnLine: true }),
          })
        : undefined,
    ),
    place: (feature, resolution) => {
      const kind: string = feature.get("class");
      const size = placeSizeOf(kind, resolution);
      if (size === undefined || !feature.get("name")) return undefined;
      if (!TOWNS.has(kind) && isInZone(feature)) return undefined;
      return new Style({
        text: nameOf(feature, { color: tiles.name, edge, font: `600 ${size}px ${FONT}` }),
        zIndex: 100 - Number(feature.get("rank") ?? 50),
      });
    },
    poi: nearerThan(10, (feature) => {
      if (feature.get("class") !== "railway" || !STATIONS.has(feature.get("subclass"))) return undefined;
      return new Style({
        image: new CircleStyle({
          radius: 4,
          fill: new Fill({ color: tiles.station }),
          stroke: edge,
          declutterMode: "obstacle",
        }),
        text: nameOf(feature, { color: tiles.station, edge, font: `600 11px ${FONT}`, offsetY: 13 }),
      });
    }),
  };
  return (feature, resolution) => styles[feature.get("layer") as TileLayer]?.(feature, resolution);
}

const TOWNS = new Set(["city", "town"]);
const GREEN = new Set(["wood", "grass", "wetland"]);
const STATIONS = new Set(["station", "subway", "halt", "tram_stop"]);
/** Width in pixels, and the resolution from which on a class is too small to be drawn. */
const ROADS: Readonly<Record<string, { width: number; upTo: number; isMain?: boolean }>> = {
  motorway: { width: 2.6, upTo: 5_000, isMain: true },
  trunk: { width: 2.2, upTo: 2_500, isMain: true },
  primary: { width: 1.9, upTo: 320, isMain: true },
  secondary: { width: 1.5, upTo: 80 },
  tertiary: { width: 1.2, upTo: 40 },
  minor: { width: 1, upTo: 12 },
  service: { width: 0.7, upTo: 5 },
  busway: { width: 0.7, upTo: 5 },
  track: { width: 0.6, upTo: 5 },
  path: { width: 0.6, upTo: 3 },
};
const RAILWAYS = new Set(["rail", "transit"]);

function roadStyle(tiles: Palette["tiles"]): FeatureStyle {
  const rail = new Style({ stroke: new Stroke({ color: tiles.rail, width: 1, lineDash: [5, 3] }) });
  const made = new Map<string, Style>();
  return (feature, resolution) => {
    const kind: string = feature.get("class");
    if (RAILWAYS.has(kind)) return resolution < 60 ? rail : undefined;
    const road = ROADS[kind];
    if (!road || resolution > road.upTo) return undefined;
    // Wider when near: a street is some ten metres wide.
    const width = Math.max(road.width, (road.width * 6) / resolution).toFixed(1);
    const key = `${kind} ${width}`;
    const color = road.isMain ? tiles.mainRoad : tiles.road;
    const style = made.get(key) ?? new Style({ stroke: new Stroke({ color, width: Number(width) }) });
    made.set(key, style);
    return style;
  };
}

/** The size of a place's name in pixels; undefined where it is not written. */
function placeSizeOf(kind: string, resolution: number): number | undefined {
  if (kind === "city") return resolution > 20 ? 13 : undefined;
  if (kind === "town") return resolution > 10 && resolution < 320 ? 12 : undefined;
  if (kind === "village") return resolution < 80 ? 11 : undefined;
  if (kind === "borough") return resolution < 40 ? 11 : undefined;
  return ["suburb", "quarter", "neighbourhood", "hamlet"].includes(kind) && resolution < 20 ? 11 : undefined;
}

interface NameLook {
  readonly color: string;
  readonly edge: Stroke;
  readonly font: string;
  readonly offsetY?: number;
  readonly isOnLine?: boolean;
}

function nameOf(feature: FeatureLike, { color, edge, font, offsetY = 0, isOnLine = false }: NameLook): Text {
  return new Text({
    text: String(feature.get("name") ?? ""),
    font,
    offsetY,
    fill: new Fill({ color }),
    stroke: edge,
    ...(isOnLine ? { placement: "line" as const } : {}),
  });
}

function nearerThan(resolution: number, style: FeatureStyle): FeatureStyle {
  return (feature, at) => (at < resolution ? style(feature, at) : undefined);
}
