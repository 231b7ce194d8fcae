/** Finds as lit windows: kept ones with a glow, gone ones as embers, several at one spot as one building. */
import type { FeatureLike } from "ol/Feature.js";
import CircleGeometry from "ol/geom/Circle.js";
import type PointGeometry from "ol/geom/Point.js";
import Fill from "ol/style/Fill.js";
import Icon from "ol/style/Icon.js";
import Stroke from "ol/style/Stroke.js";
import Style, { type StyleFunction } from "ol/style/Style.js";
import type { FindPoint } from "#core/finds/find.ts";
import { radians } from "#core/geo/box.ts";
import { HIDDEN_ADDRESS_TOLERANCE_M } from "#core/geo/drawn-area.ts";
import { DEFAULT_LANGUAGE, languageOr } from "#core/languages.ts";
import { type FindLight, lightOf } from "#core/map/map-model.ts";
import { GLOW, type Palette } from "#core/map/palette.ts";
import { formatNumber } from "#text/labels.ts";
import { mapPixelRatio, pointAt } from "./coordinates.ts";
import type { LayerState } from "./map-contents.ts";
import { FONT } from "./zone-styles.ts";

const MOST_WINDOWS = 9;
const GLOW_PIXELS = 30;
const COUNT_LEFT = 8;
const COUNT_HEIGHT = 16;
/** A circle of less than 14 pixels would only blur the window. */
export const CIRCLES_UP_TO_RESOLUTION = HIDDEN_ADDRESS_TOLERANCE_M / 14;

export function findsOf(cluster: FeatureLike): readonly FindPoint[] {
  return cluster.get("finds");
}

export function clusterStyle({ palette }: LayerState): StyleFunction {
  const stroke = new Stroke({ color: `rgba(${palette.glow}, 0.5)`, width: 1, lineDash: [4, 4] });
  const border = new Style({ geometry: circleAround, stroke });
  return (cluster, resolution) => {
    const finds = findsOf(cluster);
    const icon = iconOf(lightsOf(finds), palette);
    if (finds.length > MOST_WINDOWS) return [icon, countOf(finds.length, palette)];
    return isSeen(resolution) && finds.length === 1 && isApproximate(finds) ? [border, icon] : icon;
  };
}

/** At most nine windows, the brightest first. */
function lightsOf(finds: readonly FindPoint[]): FindLight[] {
  const counts = { kept: 0, found: 0, gone: 0 };
  for (const find of finds) counts[lightOf(find)] += 1;
  return (["kept", "found", "gone"] as const)
    .flatMap((light) => Array<FindLight>(counts[light]).fill(light))
    .slice(0, MOST_WINDOWS);
}

function iconOf(lights: readonly FindLight[], palette: Palette): Style {
  const isKept = lights[0] === "kept";
  const reach = GLOW_PIXELS * (isKept ? 1.7 : 1.2);
  return picture(`${palette.window} ${lights.join(" ")}`, {
    size: [reach, reach],
    draw: (context) => {
      context.translate(reach / 2, reach / 2);
      if (lights[0] !== "gone") drawGlow(context, { palette, reach, isKept });
      drawWindows(context, lights, palette);
    },
  });
}

/** A picture, because text is the slowest thing to draw while the map moves: 83 ms a frame with 150 clusters, 17 ms without. */
function countOf(count: number, palette: Palette): Style {
  const text = formatNumber(count, languageOr(document.documentElement.lang, DEFAULT_LANGUAGE));
  return picture(`${palette.window} ${text}`, {
    size: [8 * text.length + 4, COUNT_HEIGHT],
    left: COUNT_LEFT,
    draw: (context) => {
      context.font = `700 11px ${FONT}`;
      context.textBaseline = "middle";
      context.lineJoin = "round";
      context.lineWidth = 3;
      context.strokeStyle = palette.labelEdge;
      context.strokeText(text, 2, COUNT_HEIGHT / 2);
      context.fillStyle = palette.keptWindow;
      context.fillText(text, 2, COUNT_HEIGHT / 2);
    },
  });
}

interface PictureLook {
  readonly size: readonly [width: number, height: number];
  /** Pixels from the point to the picture; without it the picture is around the point. */
  readonly left?: number;
  readonly draw: (context: CanvasRenderingContext2D) => void;
}

const pictures = new Map<string, Style>();

/** Drawn once for each key. */
function picture(key: string, { size: [width, height], left, draw }: PictureLook): Style {
  const known = pictures.get(key);
  if (known) return known;
  const ratio = mapPixelRatio();
  const img = document.createElement("canvas");
  img.width = width * ratio;
  img.height = height * ratio;
  const context = img.getContext("2d");
  context?.scale(ratio, ratio);
  if (context) draw(context);
  const place = left === undefined ? {} : { anchor: [0, 0.5], displacement: [left, 0] };
  const style = new Style({ image: new Icon({ img, scale: 1 / ratio, ...place }) });
  pictures.set(key, style);
  return style;
}

function drawGlow(
  context: CanvasRenderingContext2D,
  { palette, reach, isKept }: { palette: Palette; reach: number; isKept: boolean },
): void {
  const light = context.createRadialGradient(0, 0, 0, 0, 0, reach / 2);
  const strength = isKept ? 1 : 0.62;
  for (const [at, opacity] of GLOW) light.addColorStop(at, `rgba(${palette.glow}, ${opacity * strength})`);
  context.fillStyle = light;
  context.fillRect(-reach / 2, -reach / 2, reach, reach);
}

function drawWindows(
  context: CanvasRenderingContext2D,
  lights: readonly FindLight[],
  palette: Palette,
): void {
  const isAlone = lights.length === 1;
  const isKept = isAlone && lights[0] === "kept";
  const columns = isAlone ? 1 : lights.length <= 4 ? 2 : 3;
  const rows = Math.ceil(lights.length / columns);
  const width = isKept ? 7 : isAlone ? 5 : 3.6;
  const height = isKept ? 9 : isAlone ? 6.5 : 4.4;
  const gap = 1.4;
  const left = -(columns * width + (columns - 1) * gap) / 2;
  const top = -(rows * height + (rows - 1) * gap) / 2;
  lights.forEach((light, index) => {
    context.fillStyle = { kept: palette.keptWindow, found: palette.window, gone: palette.ember }[light];
    context.fillRect(
      left + (index % columns) * (width + gap),
      top + Math.floor(index / columns) * (height + gap),
      width,
      height,
    );
  });
}

/** Some addresses are hidden: those homes are somewhere in the circle. */
export function circleStyle({ palette }: LayerState): StyleFunction {
  const style = new Style({ geometry: circleAround, fill: new Fill({ color: `rgb(${palette.glow})` }) });
  return (cluster, resolution) => (isSeen(resolution) && isApproximate(findsOf(cluster)) ? style : undefined);
}

function isSeen(resolution: number): boolean {
  return resolution <= CIRCLES_UP_TO_RESOLUTION;
}

function isApproximate(finds: readonly FindPoint[]): boolean {
  return finds.some(({ isAddressShown }) => !isAddressShown);
}

/** A metre is longer on the map the farther north it is. */
function circleAround(cluster: FeatureLike): CircleGeometry {
  const middle = (cluster.getGeometry() as PointGeometry).getCoordinates();
  const { latitude } = pointAt(middle);
  return new CircleGeometry(middle, HIDDEN_ADDRESS_TOLERANCE_M / Math.cos(radians(latitude)));
}
