import type { Bounds, Spot } from "./plane.ts";

export interface View {
  readonly middle: Spot;
  readonly metresPerPixel: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Pixel {
  readonly left: number;
  readonly top: number;
}

/** The closest zoom: about a building per finger width. */
const NEAREST_METRES_PER_PIXEL = 0.75;
/** A single find is shown with its neighbourhood. */
const LEAST_REACH_M = 900;

/** The view that shows all of the bounds, with a margin. */
export function viewOf(bounds: Bounds, { width, height }: Size, marginPixels = 24): View {
  const across = Math.max(bounds.east - bounds.west, LEAST_REACH_M);
  const down = Math.max(bounds.south - bounds.north, LEAST_REACH_M);
  return {
    middle: { x: (bounds.west + bounds.east) / 2, y: (bounds.north + bounds.south) / 2 },
    metresPerPixel: Math.max(
      across / Math.max(1, width - 2 * marginPixels),
      down / Math.max(1, height - 2 * marginPixels),
    ),
  };
}

export function pixelOf(view: View, { width, height }: Size, { x, y }: Spot): Pixel {
  return {
    left: width / 2 + (x - view.middle.x) / view.metresPerPixel,
    top: height / 2 + (y - view.middle.y) / view.metresPerPixel,
  };
}

export function spotAt(view: View, { width, height }: Size, { left, top }: Pixel): Spot {
  return {
    x: view.middle.x + (left - width / 2) * view.metresPerPixel,
    y: view.middle.y + (top - height / 2) * view.metresPerPixel,
  };
}

export function panned(view: View, { left, top }: Pixel): View {
  const { middle, metresPerPixel } = view;
  return { ...view, middle: { x: middle.x - left * metresPerPixel, y: middle.y - top * metresPerPixel } };
}

/** Zooms by a factor (below one: out), keeping the spot under a pixel in place. */
export function zoomed(view: View, size: Size, { factor, at }: { factor: number; at: Pixel }): View {
  const fixed = spotAt(view, size, at);
  const metresPerPixel = view.metresPerPixel / factor;
  return {
    metresPerPixel,
    middle: {
      x: fixed.x - (at.left - size.width / 2) * metresPerPixel,
      y: fixed.y - (at.top - size.height / 2) * metresPerPixel,
    },
  };
}

export function heldTo(view: View, bounds: Bounds, size: Size): View {
  const farthest = viewOf(bounds, size).metresPerPixel * 1.6;
  return {
    metresPerPixel: Math.min(farthest, Math.max(NEAREST_METRES_PER_PIXEL, view.metresPerPixel)),
    middle: {
      x: Math.min(bounds.east, Math.max(bounds.west, view.middle.x)),
      y: Math.min(bounds.south, Math.max(bounds.north, view.middle.y)),
    },
  };
}

/** The longest round length that fits into the pixels: 1, 2 or 5 times a power of ten. */
export function scaleBarOf(metresPerPixel: number, mostPixels: number): { metres: number; pixels: number } {
  const most = mostPixels * metresPerPixel;
  const decade = 10 ** Math.floor(Math.log10(most));
  const metres = ([5, 2, 1].find((step) => step * decade <= most) ?? 1) * decade;
  return { metres, pixels: metres / metresPerPixel };
}
