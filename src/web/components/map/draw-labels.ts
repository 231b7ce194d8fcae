import type { MapModel } from "#core/map/map-model.ts";
import type { Palette } from "#core/map/palette.ts";
import type { Spot } from "#core/map/plane.ts";
import { pixelOf, type Size, type View } from "#core/map/view.ts";

interface Scene {
  readonly model: MapModel;
  readonly palette: Palette;
  readonly view: View;
  readonly size: Size;
  readonly shades?: ReadonlyMap<string, { readonly label: string }> | undefined;
  readonly nameOf: (placeId: string) => string;
}

interface Label {
  readonly lines: readonly string[];
  readonly spot: Spot;
  /** The pixels it may be wide. */
  readonly room: number;
}

export interface LabelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** From here on zones are too small for their names, and districts are named. */
const DISTRICTS_FROM_METRES_PER_PIXEL = 11;
const LINE_PIXELS = 15;

/** Names, only where they fit: none over another or over what is taken, none wider than what it names. */
export function drawLabels(context: CanvasRenderingContext2D, scene: Scene, taken: LabelBox[]): void {
  const { palette, view, size } = scene;
  const isFar = view.metresPerPixel > DISTRICTS_FROM_METRES_PER_PIXEL;
  const labels = scene.shades || !isFar ? zoneLabelsOf(scene) : districtLabelsOf(scene);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = palette.labelEdge;
  context.fillStyle = palette.label;
  context.font = `${isFar ? 600 : 500} 12px 'Onest Variable', 'Onest Fallback', sans-serif`;
  for (const { lines, spot, room } of labels) {
    const { left, top } = pixelOf(view, size, spot);
    const width = Math.max(...lines.map((line) => context.measureText(line).width));
    const height = lines.length * LINE_PIXELS;
    const box = {
      left: left - width / 2 - 4,
      right: left + width / 2 + 4,
      top: top - height / 2,
      bottom: top + height / 2,
    };
    const isInside = box.left > 0 && box.right < size.width && box.top > 0 && box.bottom < size.height;
    if (width > room || !isInside || taken.some((other) => overlaps(box, other))) continue;
    taken.push(box);
    lines.forEach((line, index) => {
      const lineTop = top - height / 2 + (index + 0.5) * LINE_PIXELS;
      context.strokeText(line, left, lineTop);
      context.fillText(line, left, lineTop);
    });
  }
}

function zoneLabelsOf({ model, view, shades, nameOf }: Scene): Label[] {
  return model.zones
    .map(({ placeId, label, bounds }) => {
      const price = shades?.get(placeId)?.label;
      const name = nameOf(placeId);
      const lines = shades ? (price === undefined ? [] : [price]) : [name];
      const isNear = view.metresPerPixel <= DISTRICTS_FROM_METRES_PER_PIXEL;
      return {
        lines: isNear && price !== undefined ? [name, price] : lines,
        spot: label,
        room: (bounds.east - bounds.west) / view.metresPerPixel,
      };
    })
    .filter(({ lines }) => lines.length > 0)
    .sort((one, other) => other.room - one.room);
}

function districtLabelsOf({ model, view, nameOf }: Scene): Label[] {
  const districts = Map.groupBy(model.zones, ({ placeId }) => placeId.split("-").slice(0, -1).join("-"));
  return [...districts]
    .map(([districtId, zones]) => {
      const west = Math.min(...zones.map(({ bounds }) => bounds.west));
      const east = Math.max(...zones.map(({ bounds }) => bounds.east));
      return {
        lines: [nameOf(districtId)],
        spot: {
          x: zones.reduce((sum, { label }) => sum + label.x, 0) / zones.length,
          y: zones.reduce((sum, { label }) => sum + label.y, 0) / zones.length,
        },
        room: (east - west) / view.metresPerPixel,
      };
    })
    .sort((one, other) => other.room - one.room);
}

function overlaps(one: LabelBox, other: LabelBox): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
