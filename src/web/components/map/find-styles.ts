/** Finds as lit windows, near by with their prices: kept ones with a glow, gone ones as embers, several at one spot as their number. */
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
import { DEFAULT_LANGUAGE, type Language, languageOr } from "#core/languages.ts";
import { type FindLight, lightOf } from "#core/map/map-model.ts";
import { GLOW, type Palette } from "#core/map/palette.ts";
import { formatNumber, formatPrice } from "#text/labels.ts";
import { mapPixelRatio, pointAt } from "./coordinates.ts";
import type { LayerState } from "./map-contents.ts";
import { FONT } from "./zone-styles.ts";

const GLOW_PIXELS = 30;
/** A circle of less than 14 pixels would only blur the window. */
export const CIRCLES_UP_TO_RESOLUTION = HIDDEN_ADDRESS_TOLERANCE_M / 14;
/** From here on there is space for prices. In map units, 19 m in Madrid: a district on a phone. */
export const PRICES_UP_TO_RESOLUTION = 25;

export function findsOf(cluster: FeatureLike): readonly FindPoint[] {
  return cluster.get("finds");
}

export function clusterStyle({ palette }: LayerState): StyleFunction {
  const stroke = new Stroke({ color: `rgba(${palette.glow}, 0.6)`, width: 1.2, lineDash: [4, 4] });
  const border = new Style({ geometry: circleAround, stroke });
  return (cluster, resolution) => {
    const finds = findsOf(cluster);
    const [first] = finds;
    if (!first || finds.length > 1) return countMark(finds, palette);
    const hasPrice = resolution <= PRICES_UP_TO_RESOLUTION && first.priceEur !== null;
    const mark = hasPrice ? priceMark(first, palette) : windowMark(lightOf(first), palette);
    return isSeen(resolution) && isApproximate(finds) ? [border, mark] : mark;
  };
}

function windowMark(light: FindLight, palette: Palette): Style {
  const reach = GLOW_PIXELS * (light === "kept" ? 1.7 : 1.2);
  return picture(`${palette.window} ${light}`, {
    size: [reach, reach],
    draw: (context) => {
      context.translate(reach / 2, reach / 2);
      if (light !== "gone") drawGlow(context, { palette, reach, isKept: light === "kept" });
      const [width, height] = light === "kept" ? [8, 10] : [6, 7.5];
      context.fillStyle = groundOf(light, palette);
      context.strokeStyle = palette.windowEdge;
      context.strokeRect(-width / 2, -height / 2, width, height);
      context.fillRect(-width / 2, -height / 2, width, height);
    },
  });
}

/** Kept homes among them are a dot at the edge. */
function countMark(finds: readonly FindPoint[], palette: Palette): Style {
  const lights = new Set(finds.map(lightOf));
  const light = lights.size === 1 && lights.has("gone") ? "gone" : "found";
  const hasKept = lights.has("kept");
  const text = formatNumber(finds.length, language());
  const size = 24 + 5 * Math.min(3, Math.log10(finds.length));
  const reach = size + 14;
  return picture(`${palette.window} ${light} ${hasKept} ${text}`, {
    size: [reach, reach],
    draw: (context) => {
      context.translate(reach / 2, reach / 2);
      if (light !== "gone") drawGlow(context, { palette, reach, isKept: true });
      context.beginPath();
      context.arc(0, 0, size / 2, 0, 2 * Math.PI);
      drawGround(context, { light, palette });
      write(context, { text, light, palette });
      if (!hasKept) return;
      context.beginPath();
      context.arc(size * 0.37, -size * 0.37, KEPT_DOT_PIXELS, 0, 2 * Math.PI);
      drawGround(context, { light: "kept", palette });
    },
  });
}

const KEPT_DOT_PIXELS = 4.5;
const PILL_HEIGHT = 23;
const SHADOW = 3;

/** "€1,250"; a kept home has a star, one that is gone is struck through. */
function priceMark(find: FindPoint, palette: Palette): Style {
  const light = lightOf(find);
  const price = shortPrice(find.priceEur ?? 0);
  const text = light === "kept" ? `★ ${price}` : price;
  const width = widthOf(text) + 14;
  return picture(`${palette.window} ${light} ${text}`, {
    size: [width + 2 * SHADOW, PILL_HEIGHT + 2 * SHADOW],
    draw: (context) => {
      context.translate(width / 2 + SHADOW, PILL_HEIGHT / 2 + SHADOW);
      context.beginPath();
      context.roundRect(-width / 2, -PILL_HEIGHT / 2, width, PILL_HEIGHT, PILL_HEIGHT / 2);
      drawGround(context, { light, palette });
      write(context, { text, light, palette });
      if (light !== "gone") return;
      context.fillStyle = palette.onEmber;
      context.fillRect(7 - width / 2, 0, width - 14, 1.2);
    },
  });
}

interface MarkLook {
  readonly light: FindLight;
  readonly palette: Palette;
}

/** The path that has been begun, filled, with an edge and a shadow. */
function drawGround(context: CanvasRenderingContext2D, { light, palette }: MarkLook): void {
  context.save();
  context.shadowColor = "rgba(8, 13, 24, 0.4)";
  context.shadowBlur = SHADOW * mapPixelRatio();
  context.shadowOffsetY = mapPixelRatio();
  context.fillStyle = groundOf(light, palette);
  context.fill();
  context.restore();
  context.lineWidth = 1.2;
  context.strokeStyle = palette.windowEdge;
  context.stroke();
}

function groundOf(light: FindLight, palette: Palette): string {
  return { kept: palette.keptWindow, found: palette.window, gone: palette.ember }[light];
}

const PRICE_FONT = `700 12px ${FONT}`;

/** In a picture, because text is the slowest thing to draw while the map moves: 83 ms a frame with 150 clusters, 17 ms without. */
function write(
  context: CanvasRenderingContext2D,
  { text, light, palette }: MarkLook & { text: string },
): void {
  context.font = PRICE_FONT;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = { kept: palette.onKept, found: palette.onWindow, gone: palette.onEmber }[light];
  context.fillText(text, 0, 0.5);
}

let ruler: CanvasRenderingContext2D | null | undefined;

function widthOf(text: string): number {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return 8 * text.length;
  ruler.font = PRICE_FONT;
  return Math.ceil(ruler.measureText(text).width);
}

const SHORT_FROM_EUR = 10_000;

/** Prices of homes for sale in thousands. */
function shortPrice(priceEur: number): string {
  if (priceEur < SHORT_FROM_EUR) return formatPrice(priceEur, language());
  return new Intl.NumberFormat(language(), {
    style: "currency",
    currency: "EUR",
    notation: "compact",
    maximumSignificantDigits: 3,
  }).format(priceEur);
}

function language(): Language {
  return languageOr(document.documentElement.lang, DEFAULT_LANGUAGE);
}

interface PictureLook {
  readonly size: readonly [width: number, height: number];
  readonly draw: (context: CanvasRenderingContext2D) => void;
}

const pictures = new Map<string, Style>();

/** Drawn once for each key. */
function picture(key: string, { size: [width, height], draw }: PictureLook): Style {
  const known = pictures.get(key);
  if (known) return known;
  const ratio = mapPixelRatio();
  const img = document.createElement("canvas");
  img.width = width * ratio;
  img.height = height * ratio;
  const context = img.getContext("2d");
  context?.scale(ratio, ratio);
  if (context) draw(context);
  // Drawn wherever they are; labels keep clear of them.
  const style = new Style({ image: new Icon({ img, scale: 1 / ratio, declutterMode: "obstacle" }) });
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
