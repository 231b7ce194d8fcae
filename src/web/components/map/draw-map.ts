import type { Language } from "#core/languages.ts";
import type { MapModel, MapZone } from "#core/map/map-model.ts";
import type { Palette } from "#core/map/palette.ts";
import type { Spot } from "#core/map/plane.ts";
import { pixelOf, type Size, scaleBarOf, type View } from "#core/map/view.ts";
import { roofOf } from "#core/map/zone-geometry.ts";
import { drawFacades } from "./draw-facades.ts";
import { drawLabels, type LabelBox } from "./draw-labels.ts";

export interface Scene {
  readonly model: MapModel;
  readonly palette: Palette;
  readonly view: View;
  readonly size: Size;
  /** Zones by price: the colour of each, and what is written on it. */
  readonly shades?: ReadonlyMap<string, { readonly color: string; readonly label: string }> | undefined;
  /** The zone that is looked at in the list. */
  readonly chosenId?: string | null | undefined;
  readonly places: readonly { readonly name: string; readonly spot: Spot }[];
  readonly nameOf: (placeId: string) => string;
  readonly language: Language;
  /** The buttons of a map that moves lie over it. */
  readonly hasButtons?: boolean;
  /** Only while it moves: without the light around windows. */
  readonly isCoarse?: boolean;
}

/** One picture of the map; the context's own unit is a CSS pixel. */
export function drawMap(context: CanvasRenderingContext2D, scene: Scene): void {
  const { palette, size } = scene;
  context.fillStyle = scene.model.zones.length > 0 ? palette.land : (palette.roofs[0] ?? palette.land);
  context.fillRect(0, 0, size.width, size.height);
  if (scene.model.zones.length === 0) drawGrid(context, scene);
  drawGround(context, scene);
  drawFacades(context, scene);
  const taken = drawPlaces(context, scene);
  if (scene.hasButtons) taken.push({ ...BUTTONS, left: size.width + BUTTONS.left, right: size.width });
  drawLabels(context, scene, taken);
}

/** As far as they reach into the upper right corner. */
const BUTTONS = { left: -60, top: 0, bottom: 164 };

const GRID_PIXELS = 90;

/** Where no streets are ours to draw: squares as wide as the scale says. */
function drawGrid(context: CanvasRenderingContext2D, { view, size, palette }: Scene): void {
  const { pixels } = scaleBarOf(view.metresPerPixel, GRID_PIXELS);
  const origin = pixelOf(view, size, { x: 0, y: 0 });
  context.beginPath();
  for (let left = origin.left % pixels; left < size.width; left += pixels) {
    context.moveTo(left, 0);
    context.lineTo(left, size.height);
  }
  for (let top = origin.top % pixels; top < size.height; top += pixels) {
    context.moveTo(0, top);
    context.lineTo(size.width, top);
  }
  context.strokeStyle = palette.grid;
  context.lineWidth = 1;
  context.stroke();
}

/** What lies still: drawn in metres, so that panning and zooming change one transformation. */
function drawGround(context: CanvasRenderingContext2D, scene: Scene): void {
  const { model, palette, view, size, shades, chosenId } = scene;
  const pixel = view.metresPerPixel;
  context.save();
  context.translate(size.width / 2, size.height / 2);
  context.scale(1 / pixel, 1 / pixel);
  context.translate(-view.middle.x, -view.middle.y);
  context.lineJoin = "round";
  context.lineCap = "round";
  const seen = model.zones.filter((zone) => isSeen(zone, view, size));
  for (const zone of seen) {
    const roofs = zone.isSearched && !shades ? palette.searchedRoofs : palette.roofs;
    context.fillStyle = shades?.get(zone.placeId)?.color ?? roofOf(zone.placeId, roofs);
    context.fill(pathOf(zone.ring));
    if (zone.litBy.length > 0) lightZone(context, zone, palette);
  }
  context.strokeStyle = palette.street;
  context.lineWidth = Math.min(2.4, Math.max(0.7, 14 / pixel)) * pixel;
  for (const { ring } of seen) context.stroke(pathOf(ring));
  for (const ring of model.drawn) {
    context.fillStyle = palette.outlineGlow;
    context.fill(pathOf(ring));
  }
  for (const [width, color] of [
    [6, palette.outlineGlow],
    [1.6, palette.outline],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width * pixel;
    for (const line of model.outline) context.stroke(pathOf(line, false));
    for (const ring of model.drawn) context.stroke(pathOf(ring));
  }
  const chosen = model.zones.find(({ placeId }) => placeId === chosenId);
  if (chosen) {
    context.strokeStyle = palette.chosen;
    context.lineWidth = 3 * pixel;
    context.stroke(pathOf(chosen.ring));
  }
  context.restore();
}

/** Light that comes from somewhere in the zone: nobody said from where. */
function lightZone(
  context: CanvasRenderingContext2D,
  { ring, label, bounds }: MapZone,
  { glow }: Palette,
): void {
  const reach = Math.max(bounds.east - bounds.west, bounds.south - bounds.north) * 0.62;
  const light = context.createRadialGradient(label.x, label.y, 0, label.x, label.y, reach);
  light.addColorStop(0, `rgba(${glow}, 0.42)`);
  light.addColorStop(0.45, `rgba(${glow}, 0.16)`);
  light.addColorStop(1, `rgba(${glow}, 0.05)`);
  context.fillStyle = light;
  context.fill(pathOf(ring));
}

/** The boxes that the names take. */
function drawPlaces(context: CanvasRenderingContext2D, { places, palette, view, size }: Scene): LabelBox[] {
  const taken: LabelBox[] = [];
  for (const { spot, name } of places) {
    const { left, top } = pixelOf(view, size, spot);
    context.beginPath();
    context.moveTo(left, top);
    context.lineTo(left - 7, top - 12);
    context.arc(left, top - 15, 7.6, Math.PI * 0.86, Math.PI * 0.14);
    context.closePath();
    context.fillStyle = palette.place;
    context.strokeStyle = palette.labelEdge;
    context.lineWidth = 2;
    context.stroke();
    context.fill();
    context.beginPath();
    context.arc(left, top - 15, 2.8, 0, Math.PI * 2);
    context.fillStyle = palette.land;
    context.fill();
    context.font = "600 13px 'Onest Variable', 'Onest Fallback', sans-serif";
    // Beside the pin; before it where the edge of the map would cut the name.
    const { width } = context.measureText(name);
    const isCut = left + 16 + width > size.width;
    const nameLeft = isCut ? left - 12 : left + 12;
    const [start, end] = isCut ? [nameLeft - width, left + 8] : [left - 8, nameLeft + width];
    taken.push({ left: start, right: end, top: top - 23, bottom: top });
    context.textAlign = isCut ? "right" : "left";
    context.textBaseline = "middle";
    context.lineWidth = 3.5;
    context.strokeText(name, nameLeft, top - 14);
    context.fillStyle = palette.place;
    context.fillText(name, nameLeft, top - 14);
  }
  return taken;
}

const paths = new WeakMap<readonly Spot[], Path2D>();

function pathOf(line: readonly Spot[], isClosed = true): Path2D {
  const known = paths.get(line);
  if (known) return known;
  const path = new Path2D();
  line.forEach(({ x, y }, index) => {
    if (index === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  });
  if (isClosed) path.closePath();
  paths.set(line, path);
  return path;
}

function isSeen({ bounds }: MapZone, { middle, metresPerPixel }: View, { width, height }: Size): boolean {
  const across = (width / 2) * metresPerPixel;
  const down = (height / 2) * metresPerPixel;
  return (
    bounds.east > middle.x - across &&
    bounds.west < middle.x + across &&
    bounds.south > middle.y - down &&
    bounds.north < middle.y + down
  );
}
