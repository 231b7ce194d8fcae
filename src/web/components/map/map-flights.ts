import type View from "ol/View.js";
import type { Box } from "#core/geo/box.ts";
import type { Point } from "#core/geo/polyline.ts";
import { extentOf, pointAt } from "./coordinates.ts";

export interface MapFlights {
  readonly show: (box: Box) => void;
  /** Without an animation. */
  readonly jumpTo: (box: Box) => void;
  /** In zoom levels; negative zooms out. */
  readonly zoomBy: (levels: number) => void;
  /** In pixels, to the right and down. */
  readonly panBy: (right: number, down: number) => void;
  /** Where the map is, or where it is flying to. */
  readonly middle: () => Point;
}

const FLIGHT_MS = 190;
const MARGIN_PIXELS = 36;
/** A single home is shown with the streets around it. */
const NEAREST_FIT = 16;

/** Moves of the map by keys, buttons and the list. */
export function createFlights(view: View): MapFlights {
  // A second key press during a flight counts from where that flight ends.
  let goal: { center: number[]; zoom: number } | undefined;
  const duration = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : FLIGHT_MS);
  const now = () =>
    (view.getAnimating() && goal) || { center: view.getCenter() ?? [0, 0], zoom: view.getZoom() ?? 0 };
  const fly = (next: { center: number[]; zoom: number }) => {
    goal = {
      center: view.getConstrainedCenter(next.center) ?? next.center,
      zoom: Math.min(view.getMaxZoom(), Math.max(view.getMinZoom(), next.zoom)),
    };
    view.cancelAnimations();
    view.animate({ ...goal, duration: duration() });
  };
  const flyTo = (box: Box, durationMs: number) =>
    view.fit(extentOf(box), {
      padding: Array<number>(4).fill(MARGIN_PIXELS),
      duration: durationMs,
      maxZoom: NEAREST_FIT,
    });
  return {
    show: (box) => flyTo(box, duration()),
    jumpTo: (box) => flyTo(box, 0),
    zoomBy: (levels) => fly({ center: now().center, zoom: now().zoom + levels }),
    panBy: (right, down) => {
      const { center, zoom } = now();
      const [x = 0, y = 0] = center;
      const resolution = view.getResolutionForZoom(zoom);
      fly({ center: [x + right * resolution, y - down * resolution], zoom });
    },
    middle: () => pointAt(now().center),
  };
}
