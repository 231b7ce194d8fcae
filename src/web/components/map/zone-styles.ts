/** Zones as roofs, the searched area a shade lighter, and the names of both. */
import type { FeatureLike } from "ol/Feature.js";
import Fill from "ol/style/Fill.js";
import Icon from "ol/style/Icon.js";
import Stroke from "ol/style/Stroke.js";
import Style, { type StyleFunction } from "ol/style/Style.js";
import Text from "ol/style/Text.js";
import type { MapZone } from "#core/map/map-model.ts";
import { type Palette, roofOf } from "#core/map/palette.ts";
import type { LayerState } from "./map-contents.ts";
import { placeNameOf } from "./place-names.ts";

export const FONT = "'Onest Variable', 'Onest Fallback', sans-serif";
/** From here on zones are too small for their names, and districts are named. In map units, 11 m in Madrid. */
export const DISTRICTS_FROM_RESOLUTION = 14;
/** Farther away only provinces are named. In map units, 120 m in Madrid. */
export const TOWN_NAMES_UP_TO_RESOLUTION = 160;
/** How much of the streets a zone hides. */
const OVER_STREETS = { searched: 0.35, other: 0 };

export function zoneStyle(
  { palette, shades, hasStreets }: LayerState,
  { isSearched }: { isSearched: boolean },
): StyleFunction {
  const borderOf = ({ town }: MapZone) =>
    new Stroke({
      color: hasStreets ? palette.tiles.zone : town ? palette.townBorder : palette.street,
      width: 1.2,
    });
  const lit = new Style({ fill: new Fill({ color: `rgba(${palette.glow}, 0.07)` }) });
  const colorOf = ({ placeId, isSearched }: MapZone): string => {
    const shade = shades?.get(placeId)?.color;
    if (shade !== undefined) return faded(shade, hasStreets ? 0.72 : 1);
    const isLighter = isSearched && !shades;
    const roof = roofOf(placeId, isLighter ? palette.searchedRoofs : palette.roofs);
    return faded(roof, hasStreets ? OVER_STREETS[isLighter ? "searched" : "other"] : 1);
  };
  const made = new Map<string, Style>();
  return (feature) => {
    const zone = zoneOf(feature);
    if (zone.isCovered || zone.isSearched !== isSearched) return undefined;
    const color = colorOf(zone);
    const key = `${color} ${zone.town !== undefined}`;
    const style = made.get(key) ?? new Style({ fill: new Fill({ color }), stroke: borderOf(zone) });
    made.set(key, style);
    // Not over prices, whose colours have a legend.
    return zone.isLit && !shades ? [style, lit] : style;
  };
}

export function chosenStyle({ palette, chosenId }: LayerState): StyleFunction {
  const style = new Style({ stroke: new Stroke({ color: palette.chosen, width: 3 }) });
  return (feature) => (zoneOf(feature).placeId === chosenId ? style : undefined);
}

/** Around the searched zones, which are drawn above it: they lie higher than their surroundings. */
export function shadowStyle({ palette, hasStreets }: LayerState): StyleFunction {
  const shadow = [14, 9, 5].map(
    (width) => new Style({ stroke: new Stroke({ color: palette.shade, width, lineJoin: "round" }) }),
  );
  return (feature) => (feature.get("isDrawn") || hasStreets ? undefined : shadow);
}

export function areaStyle({ palette }: LayerState): StyleFunction {
  const glow = new Style({ stroke: new Stroke({ color: palette.outlineGlow, width: 6 }) });
  const line = new Style({ stroke: new Stroke({ color: palette.outline, width: 1.6 }) });
  const inside = new Style({ fill: new Fill({ color: palette.outlineGlow }) });
  return (feature) => (feature.get("isDrawn") ? [inside, glow, line] : [glow, line]);
}

/** The same with prices and without: prices get the space that is left. */
export function zoneNameStyle({ palette }: LayerState): StyleFunction {
  return (feature) => {
    const { placeId, town } = zoneOf(feature);
    // Municipalities are named on the ground.
    return town ? undefined : new Style({ text: labelOf(placeNameOf(placeId), { palette, weight: 500 }) });
  };
}

export function districtNameStyle({ palette }: LayerState): StyleFunction {
  return (feature) =>
    new Style({ text: labelOf(placeNameOf(feature.get("placeId")), { palette, weight: 600 }) });
}

export function priceStyle({ palette, shades }: LayerState): StyleFunction {
  return (feature, resolution) => {
    const { placeId, town } = zoneOf(feature);
    const label = shades?.get(placeId)?.label;
    if (label === undefined || (town && town.part > 0)) return undefined;
    const isNamed = resolution <= (town ? TOWN_NAMES_UP_TO_RESOLUTION : DISTRICTS_FROM_RESOLUTION);
    const offsetY = isNamed ? 15 : 0;
    return new Style({ text: labelOf(label, { palette, weight: 600, offsetY }) });
  };
}

function labelOf(
  text: string,
  { palette, weight, offsetY = 0 }: { palette: Palette; weight: number; offsetY?: number },
): Text {
  return new Text({
    text,
    offsetY,
    font: `${weight} 12px ${FONT}`,
    fill: new Fill({ color: palette.label }),
    stroke: new Stroke({ color: palette.labelEdge, width: 3 }),
    padding: [2, 3, 2, 3],
  });
}

export function placeStyle({ palette }: LayerState): StyleFunction {
  return (feature) =>
    new Style({
      image: pinOf(palette),
      text: new Text({
        text: feature.get("name"),
        font: `600 13px ${FONT}`,
        textAlign: "left",
        offsetX: 12,
        offsetY: -14,
        fill: new Fill({ color: palette.place }),
        stroke: new Stroke({ color: palette.labelEdge, width: 3.5 }),
      }),
    });
}

const PIN = { width: 20, height: 26 };
const pins = new Map<string, Icon>();

function pinOf({ place, land, labelEdge }: Palette): Icon {
  const known = pins.get(place + land);
  if (known) return known;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PIN.width * 2}" height="${PIN.height * 2}" viewBox="-10 -25 20 26"><path d="M0 0L-7-12A7.6 7.6 0 1 1 7-12Z" fill="${place}" stroke="${labelEdge}" stroke-width="2" paint-order="stroke"/><circle cy="-15" r="2.8" fill="${land}"/></svg>`;
  const icon = new Icon({
    src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
    scale: 0.5,
    anchor: [0.5, 25 / 26],
    // A pin is always drawn, and labels keep clear of it.
    declutterMode: "obstacle",
  });
  pins.set(place + land, icon);
  return icon;
}

function zoneOf(feature: FeatureLike): MapZone {
  return feature.get("zone");
}

/** A colour of the palette, as #rrggbb, with an opacity. */
function faded(color: string, opacity: number): string {
  return `${color}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, "0")}`;
}
