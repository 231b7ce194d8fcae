/** The picture of an area as SVG, for pages and for chats: its zones, the surrounding ones, and a home as a lit window. */
import { escapeHtml } from "../escape-html.ts";
import { type Box, boxOf, middleOf, overlap, radians } from "../geo/box.ts";
import type { Point } from "../geo/polyline.ts";
import type { Zone } from "../zones/city-shapes.ts";
import type { Land } from "../zones/land.ts";
import { outlineOf } from "../zones/zone-outline.ts";
import { outermost } from "./map-model.ts";
import { GLOW, type Palette, roofOf } from "./palette.ts";
import { holdsZone, type SearchedArea } from "./searched-area.ts";

interface AreaDrawing {
  readonly area: SearchedArea;
  /** Those around the area too. */
  readonly zones: readonly Zone[];
  readonly land: Land;
  readonly palette: Palette;
  readonly size: { readonly width: number; readonly height: number };
  /** A home in the area; "somewhere" if its position is unknown. */
  readonly home?: Point | "somewhere";
  /** Written into the picture. */
  readonly captions?: { readonly title: string; readonly source: string };
}

/** The share of the picture that is left free around the area. */
const MARGIN = 0.16;
const FONT = "Onest, sans-serif";

/** Undefined if there is nothing to draw: a place without zones. */
export function drawArea(drawing: AreaDrawing): string | undefined {
  const { area, zones, land, palette, size, home, captions } = drawing;
  const own = outermost(zones.filter((zone) => holdsZone(area, zone)));
  const rings = [...own.map(({ ring }) => ring), ...area.rings];
  const box = boxOf(rings.flat());
  if (!box) return undefined;
  const { pathOf, pixelOf, seen } = projectionOf(box, size);
  const surroundings = zones.filter((zone) => overlap(zone.box, seen));
  const outline = [
    ...outlineOf(own.map(({ ring }) => ring)).map((line) => pathOf(line)),
    ...area.rings.map(closed),
  ].join("");
  function closed(ring: readonly Point[]) {
    return `${pathOf(ring)}Z`;
  }
  const isOwn = new Set(own);
  const roofs = surroundings.map((zone) => {
    const fill = roofOf(zone.placeId, isOwn.has(zone) ? palette.searchedRoofs : palette.roofs);
    return `<path d="${closed(zone.ring)}" fill="${fill}" stroke="${palette.street}" stroke-width="1.6"/>`;
  });
  const { width, height } = size;
  const coast = [...land.abroad, ...land.provinces.flatMap((province) => province.rings)]
    .filter((ring) => overlap(boxOf(ring) ?? seen, seen))
    .map(closed)
    .join("");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" stroke-linejoin="round" stroke-linecap="round">`,
    glowOf(palette),
    `<rect width="${width}" height="${height}" fill="${palette.sea}"/>`,
    `<path d="${coast}" fill="${palette.land}" stroke="${palette.coast}" stroke-width="2"/>`,
    ...roofs,
    `<path d="${area.rings.map(closed).join("")}" fill="${palette.outlineGlow}"/>`,
    home === "somewhere"
      ? `<path d="${rings.map(closed).join("")}" fill="rgb(${palette.glow})" opacity="0.24"/>`
      : "",
    `<path d="${outline}" fill="none" stroke="${palette.outlineGlow}" stroke-width="9"/>`,
    `<path d="${outline}" fill="none" stroke="${palette.outline}" stroke-width="2.4"/>`,
    home
      ? homeAt(pixelOf(home === "somewhere" ? middleOf(box) : home), {
          palette,
          isExact: home !== "somewhere",
        })
      : "",
    captions ? captionsOf(captions, { palette, size }) : "",
    "</svg>",
  ].join("");
}

interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** On a plane around the middle of the box: accurate enough for a picture of a town. */
function projectionOf(box: Box, { width, height }: AreaDrawing["size"]) {
  const middle = middleOf(box);
  const narrowing = Math.cos(radians(middle.latitude));
  const across = Math.max((box.east - box.west) * narrowing, 0.001);
  const scale = (1 - 2 * MARGIN) * Math.min(width / across, height / Math.max(box.north - box.south, 0.001));
  const pixelOf = ({ latitude, longitude }: Point): Pixel => ({
    x: width / 2 + (longitude - middle.longitude) * narrowing * scale,
    y: height / 2 - (latitude - middle.latitude) * scale,
  });
  const [halfEast, halfNorth] = [width / 2 / scale / narrowing, height / 2 / scale];
  return {
    pixelOf,
    pathOf: (line: readonly Point[]) =>
      `M${line
        .map(pixelOf)
        .map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)
        .join("L")}`,
    seen: {
      west: middle.longitude - halfEast,
      east: middle.longitude + halfEast,
      south: middle.latitude - halfNorth,
      north: middle.latitude + halfNorth,
    },
  };
}

function glowOf({ glow }: Palette): string {
  const stops = GLOW.map(
    ([offset, opacity]) => `<stop offset="${offset}" stop-color="rgb(${glow})" stop-opacity="${opacity}"/>`,
  );
  return `<defs><radialGradient id="glow">${stops.join("")}</radialGradient></defs>`;
}

const PANE = { width: 9, height: 12, gap: 2.5 };

/** A window with its bars, large enough to be noticed; without a known position only its light. */
function homeAt({ x, y }: Pixel, { palette, isExact }: { palette: Palette; isExact: boolean }): string {
  const glow = `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="110" fill="url(#glow)"/>`;
  if (!isExact) return glow;
  const panes = [-1, 0].flatMap((column) =>
    [-1, 0].map((row) => {
      const left = x + column * (PANE.width + PANE.gap) + PANE.gap / 2;
      const top = y + row * (PANE.height + PANE.gap) + PANE.gap / 2;
      return `<rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${PANE.width}" height="${PANE.height}" fill="${palette.keptWindow}"/>`;
    }),
  );
  return glow + panes.join("");
}

function captionsOf(
  { title, source }: NonNullable<AreaDrawing["captions"]>,
  { palette, size: { width, height } }: Pick<AreaDrawing, "palette" | "size">,
): string {
  const style = `font-family="${FONT}" font-weight="600" fill="${palette.label}" stroke="${palette.labelEdge}" paint-order="stroke"`;
  return (
    `<text x="24" y="48" font-size="30" stroke-width="5" ${style}>${escapeHtml(title)}</text>` +
    `<text x="${width - 14}" y="${height - 14}" text-anchor="end" font-size="15" stroke-width="3" opacity="0.7" ${style}>${escapeHtml(source)}</text>`
  );
}
