/**
 * Hands and keys on a map: pans, zooms and draws it anew, at most once a frame. Knows nothing of React, so that moving
 * the map renders no component.
 */
import type { Point } from "#core/geo/polyline.ts";
import type { Bounds, Spot } from "#core/map/plane.ts";
import { heldTo, type Pixel, panned, type Size, spotAt, type View, viewOf, zoomed } from "#core/map/view.ts";
import { drawMap, type Scene } from "./draw-map.ts";
import { listenToHands } from "./map-hands.ts";

export type SceneContents = Omit<Scene, "view" | "size" | "isCoarse">;

export interface MapControlOptions {
  readonly onTap: (at: Pixel, scene: Scene) => void;
  /** A zoom is shown by the scale beside the map, a place in the middle by who picks one. */
  readonly onView?: (view: View) => void;
  /** Somebody tried what would keep the page from scrolling. */
  readonly onHint: (kind: "fingers" | "wheel") => void;
}

export interface MapControl {
  readonly setContents: (contents: SceneContents) => void;
  readonly show: (bounds: Bounds) => void;
  readonly showFirst: () => void;
  readonly zoomBy: (factor: number) => void;
  readonly panBy: (by: Pixel) => void;
  readonly middle: () => Point;
  readonly dispose: () => void;
}

const FLIGHT_MS = 190;
/** So soon after the last movement it is drawn as finely as the screen can. */
const REST_MS = 140;
/** With more, a phone draws coarsely while it moves: fine drawing would drop frames. */
const MOST_FINE_WINDOWS = 800;

export function createMapControl(
  canvas: HTMLCanvasElement,
  firstContents: SceneContents,
  { onTap, onView, onHint }: MapControlOptions,
): MapControl {
  let contents = firstContents;
  let size: Size = { width: canvas.clientWidth || 1, height: canvas.clientHeight || 1 };
  let view = viewOf(contents.model.first, size);
  let frame = 0;
  let flight: { from: View; to: View; startMs: number } | undefined;
  let isMoving = false;
  let rest: ReturnType<typeof setTimeout> | undefined;

  const draw = (nowMs: number) => {
    frame = 0;
    if (flight) {
      view = between(flight.from, flight.to, (nowMs - flight.startMs) / FLIGHT_MS);
      if (view === flight.to) flight = undefined;
      else request();
    }
    const isCoarse = isMoving && contents.model.windows.length > MOST_FINE_WINDOWS;
    paint(canvas, { ...contents, view, size, isCoarse });
    onView?.(view);
  };
  const request = () => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  const move = (next: View) => {
    flight = undefined;
    isMoving = true;
    clearTimeout(rest);
    rest = setTimeout(() => {
      isMoving = false;
      request();
    }, REST_MS);
    view = heldTo(next, contents.model.bounds, size);
    request();
  };
  const fly = (to: View) => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return move(to);
    flight = { from: view, to: heldTo(to, contents.model.bounds, size), startMs: performance.now() };
    request();
  };
  const hands = listenToHands(canvas, {
    pan: (by) => move(panned(view, by)),
    zoom: (factor, at) => move(zoomed(view, size, { factor, at })),
    tap: (at) => onTap(at, { ...contents, view, size }),
    comeNearer: (at) => fly(zoomed(view, size, { factor: 2, at })),
    hint: onHint,
  });
  const observer = new ResizeObserver(() => {
    const isFirst = size.width === 1;
    size = { width: canvas.clientWidth || 1, height: canvas.clientHeight || 1 };
    if (isFirst) view = viewOf(contents.model.first, size);
    request();
  });
  observer.observe(canvas);
  request();

  return {
    setContents: (next) => {
      const isOther = next.model.plane !== contents.model.plane;
      contents = next;
      if (isOther) move(viewOf(next.model.first, size));
      else request();
    },
    show: (bounds) => fly(viewOf(bounds, size, Math.min(size.width, size.height) * 0.18)),
    showFirst: () => fly(viewOf(contents.model.first, size)),
    zoomBy: (factor) => fly(zoomed(flight?.to ?? view, size, { factor, at: middleOf(size) })),
    panBy: (by) => fly(panned(flight?.to ?? view, by)),
    middle: () => contents.model.plane.pointOf(spotAt(flight?.to ?? view, size, middleOf(size))),
    dispose: () => {
      cancelAnimationFrame(frame);
      clearTimeout(rest);
      observer.disconnect();
      hands.dispose();
    },
  };
}

function middleOf({ width, height }: Size): Pixel {
  return { left: width / 2, top: height / 2 };
}

function paint(canvas: HTMLCanvasElement, scene: Scene): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const ratio = scene.isCoarse ? 1 : Math.min(3, window.devicePixelRatio || 1);
  const [width, height] = [Math.round(scene.size.width * ratio), Math.round(scene.size.height * ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawMap(context, { ...scene, hasButtons: true });
}

/** Fast at first, slower towards the end. */
function between(from: View, to: View, passed: number): View {
  if (passed >= 1) return to;
  const share = 1 - (1 - Math.max(0, passed)) ** 3;
  const mix = (one: number, other: number) => one + (other - one) * share;
  const middle: Spot = { x: mix(from.middle.x, to.middle.x), y: mix(from.middle.y, to.middle.y) };
  return { middle, metresPerPixel: mix(from.metresPerPixel, to.metresPerPixel) };
}
