import type { Language } from "#core/languages.ts";
import { type Facade, facadesOf, lightOf } from "#core/map/facades.ts";
import type { MapModel } from "#core/map/map-model.ts";
import type { Palette } from "#core/map/palette.ts";
import { type Pixel, pixelOf, type Size, type View } from "#core/map/view.ts";
import { formatNumber } from "#text/labels.ts";

interface Scene {
  readonly model: MapModel;
  readonly palette: Palette;
  readonly view: View;
  readonly size: Size;
  readonly language: Language;
  readonly isCoarse?: boolean;
}

/** As wide as the widest house, so that houses of one zoom never overlap much. */
const CELL_PIXELS = 15;
/** A finger is wider than a window. */
const TOUCH_PIXELS = 22;
const GLOW_PIXELS = 30;
const MOST_WINDOWS = 9;
/** Where more houses are seen, their numbers would hide them. */
const MOST_COUNTED = 250;

const cache = new WeakMap<MapModel, { cellM: number; facades: readonly Facade[] }>();

/** The houses at a zoom; in steps of two, so that they do not dance while one zooms. */
function facadesAt(model: MapModel, { metresPerPixel }: View): readonly Facade[] {
  const cellM = CELL_PIXELS * 2 ** Math.round(Math.log2(metresPerPixel));
  const known = cache.get(model);
  if (known?.cellM === cellM) return known.facades;
  const facades = facadesOf(model.windows, cellM);
  cache.set(model, { cellM, facades });
  return facades;
}

/** The house under a finger. */
export function facadeAt(scene: Pick<Scene, "model" | "view" | "size">, at: Pixel): Facade | undefined {
  let nearest: { facade: Facade | undefined; away: number } = { facade: undefined, away: TOUCH_PIXELS };
  for (const facade of facadesAt(scene.model, scene.view)) {
    const { left, top } = pixelOf(scene.view, scene.size, facade.spot);
    const away = Math.hypot(left - at.left, top - at.top);
    if (away < nearest.away) nearest = { facade, away };
  }
  return nearest.facade;
}

export function drawFacades(context: CanvasRenderingContext2D, scene: Scene): void {
  const { model, view, size, palette, isCoarse = false } = scene;
  const seen = facadesAt(model, view)
    .map((facade) => ({ facade, ...pixelOf(view, size, facade.spot) }))
    .filter(({ left, top }) => left > -40 && top > -40 && left < size.width + 40 && top < size.height + 40);
  const glow = glowOf(palette);
  context.save();
  context.globalCompositeOperation = "screen";
  for (const { facade, left, top } of seen) {
    const light = facade.finds.reduce((sum, find) => sum + lightOf(find), 0);
    const isKept = facade.finds.some((find) => lightOf(find) === 2);
    if (light === 0 || (isCoarse && !isKept)) continue;
    const reach = GLOW_PIXELS * (isKept ? 1.7 : 1) * Math.min(1.6, 0.8 + light * 0.1);
    context.globalAlpha = isKept ? 1 : 0.62;
    context.drawImage(glow, left - reach / 2, top - reach / 2, reach, reach);
  }
  context.restore();
  const isCounted = seen.length <= MOST_COUNTED;
  for (const { facade, left, top } of seen) {
    drawFacade(context, { facade, left, top }, palette);
    if (isCounted && facade.finds.length > MOST_WINDOWS) writeCount(context, { facade, left, top }, scene);
  }
}

function drawFacade(
  context: CanvasRenderingContext2D,
  { facade, left, top }: { facade: Facade } & Pixel,
  palette: Palette,
): void {
  const shown = facade.finds.slice(0, MOST_WINDOWS);
  const [only] = shown;
  const isAlone = shown.length === 1 && only !== undefined;
  const isKept = isAlone && lightOf(only) === 2;
  const columns = isAlone ? 1 : shown.length <= 4 ? 2 : 3;
  const rows = Math.ceil(shown.length / columns);
  const width = isKept ? 7 : isAlone ? 5 : 3.6;
  const height = isKept ? 9 : isAlone ? 6.5 : 4.4;
  const gap = 1.4;
  const startLeft = left - (columns * width + (columns - 1) * gap) / 2;
  const startTop = top - (rows * height + (rows - 1) * gap) / 2;
  shown.forEach((find, index) => {
    const light = lightOf(find);
    context.fillStyle = [palette.ember, palette.window, palette.keptWindow][light] ?? palette.window;
    context.fillRect(
      startLeft + (index % columns) * (width + gap),
      startTop + Math.floor(index / columns) * (height + gap),
      width,
      height,
    );
  });
}

function writeCount(
  context: CanvasRenderingContext2D,
  { facade, left, top }: { facade: Facade } & Pixel,
  { palette, language }: Scene,
): void {
  context.font = "700 11px 'Onest Variable', 'Onest Fallback', sans-serif";
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.lineWidth = 3;
  context.strokeStyle = palette.labelEdge;
  context.fillStyle = palette.keptWindow;
  const text = formatNumber(facade.finds.length, language);
  context.strokeText(text, left + 9, top);
  context.fillText(text, left + 9, top);
}

const glows = new Map<string, HTMLCanvasElement>();

/** Drawn once: a gradient for each of thousands would cost more than all the rest. */
function glowOf({ glow }: Palette): HTMLCanvasElement {
  const known = glows.get(glow);
  if (known) return known;
  const canvas = document.createElement("canvas");
  canvas.width = GLOW_PIXELS * 3;
  canvas.height = GLOW_PIXELS * 3;
  const context = canvas.getContext("2d");
  if (context) {
    const middle = canvas.width / 2;
    const light = context.createRadialGradient(middle, middle, 0, middle, middle, middle);
    light.addColorStop(0, `rgba(${glow}, 0.75)`);
    light.addColorStop(0.25, `rgba(${glow}, 0.3)`);
    light.addColorStop(0.6, `rgba(${glow}, 0.08)`);
    light.addColorStop(1, `rgba(${glow}, 0)`);
    context.fillStyle = light;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  glows.set(glow, canvas);
  return canvas;
}
