/** Draws antialiased shapes into a small bitmap, for use without a browser. */
import type { Pixel, Size } from "./view.ts";

export interface Raster extends Size {
  /** Red, green and blue of each pixel, row by row. */
  readonly rgb: Uint8Array;
}

export interface Paint {
  /** "#1c294a" */
  readonly color: string;
  readonly opacity?: number;
}

export function createRaster({ width, height }: Size, color: string): Raster {
  const rgb = new Uint8Array(width * height * 3);
  const parts = partsOf(color);
  for (let at = 0; at < rgb.length; at += 1) rgb[at] = parts[at % 3] ?? 0;
  return { width, height, rgb };
}

/** Fills rings; overlaps are filled once. All must have the same orientation. */
export function fillRings(raster: Raster, rings: readonly (readonly Pixel[])[], paint: Paint): void {
  const { width, height } = raster;
  const frame = frameOf(rings);
  const first = Math.max(0, Math.floor(frame.top));
  const last = Math.min(height, Math.ceil(frame.bottom));
  const from = Math.max(0, Math.floor(frame.left));
  const to = Math.min(width, Math.ceil(frame.right) + 1);
  if (!(last > first && to > from)) return;
  const stride = width + 2;
  const cover = new Float32Array((last - first) * stride);
  for (const ring of rings) {
    let corner = ring.at(-1);
    for (const next of ring) {
      if (corner) addEdge(cover, { from: corner, to: next, first, last, width, stride });
      corner = next;
    }
  }
  const brush = brushOf(raster, paint);
  for (let row = first; row < last; row += 1) {
    const covered = cover.subarray((row - first) * stride + from, (row - first) * stride + to);
    paintRow(covered, row * width + from, brush);
  }
}

function paintRow(cover: Float32Array, firstPixel: number, brush: Brush): void {
  let sum = 0;
  for (let column = 0; column < cover.length; column += 1) {
    sum += cover[column] ?? 0;
    const share = Math.min(1, Math.abs(sum));
    if (share > 0.002) brush(firstPixel + column, share);
  }
}

function frameOf(rings: readonly (readonly Pixel[])[]) {
  const frame = {
    left: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  };
  for (const ring of rings) {
    for (const { left, top } of ring) {
      if (left < frame.left) frame.left = left;
      if (left > frame.right) frame.right = left;
      if (top < frame.top) frame.top = top;
      if (top > frame.bottom) frame.bottom = top;
    }
  }
  return frame;
}

interface Edge {
  readonly from: Pixel;
  readonly to: Pixel;
  readonly first: number;
  readonly last: number;
  readonly width: number;
  readonly stride: number;
}

/**
 * Adds the coverage of an edge: in each row the crossed pixel gets the part right of the edge, the next pixel the rest. The
 * running sum along a row is then the coverage of each pixel.
 */
function addEdge(cover: Float32Array, { from, to, first, last, width, stride }: Edge): void {
  if (from.top === to.top) return;
  const direction = from.top < to.top ? 1 : -1;
  const [upper, lower] = direction === 1 ? [from, to] : [to, from];
  const slope = (lower.left - upper.left) / (lower.top - upper.top);
  const begin = Math.max(upper.top, first);
  const end = Math.min(lower.top, last);
  for (let row = Math.floor(begin); row < end; row += 1) {
    const top = Math.max(begin, row);
    const bottom = Math.min(end, row + 1);
    const height = bottom - top;
    if (height <= 0) continue;
    const clamp = (left: number) => Math.min(width, Math.max(0, left));
    const one = clamp(upper.left + (top - upper.top) * slope);
    const other = clamp(upper.left + (bottom - upper.top) * slope);
    addSpan(
      cover,
      (row - first) * stride,
      { left: Math.min(one, other), right: Math.max(one, other) },
      direction * height,
    );
  }
}

function addSpan(
  cover: Float32Array,
  start: number,
  { left, right }: { left: number; right: number },
  amount: number,
): void {
  const across = right - left;
  const firstColumn = Math.floor(left);
  if (across < 1e-6) {
    const inside = left - firstColumn;
    add(cover, start + firstColumn, amount * (1 - inside));
    add(cover, start + firstColumn + 1, amount * inside);
    return;
  }
  for (let column = firstColumn; column < right; column += 1) {
    const a = Math.max(left, column);
    const b = Math.min(right, column + 1);
    const share = (amount * (b - a)) / across;
    const inside = (a + b) / 2 - column;
    add(cover, start + column, share * (1 - inside));
    add(cover, start + column + 1, share * inside);
  }
}

function add(cover: Float32Array, at: number, amount: number): void {
  cover[at] = (cover[at] ?? 0) + amount;
}

/** Draws lines with round joints; overlaps are drawn once. */
export function strokeLines(
  raster: Raster,
  lines: readonly (readonly Pixel[])[],
  { lineWidth, ...paint }: Paint & { readonly lineWidth: number },
): void {
  const half = lineWidth / 2;
  const parts: Pixel[][] = [];
  for (const line of lines) {
    line.forEach((from, index) => {
      if (half > 1) parts.push(discAt(from, half));
      const to = line[index + 1];
      const length = to ? Math.hypot(to.left - from.left, to.top - from.top) : 0;
      if (to && length > 0) parts.push(barBetween(from, to, half / length));
    });
  }
  fillRings(raster, parts, paint);
}

function barBetween(from: Pixel, to: Pixel, scale: number): Pixel[] {
  const left = (from.top - to.top) * scale;
  const top = (to.left - from.left) * scale;
  return [
    { left: from.left - left, top: from.top - top },
    { left: to.left - left, top: to.top - top },
    { left: to.left + left, top: to.top + top },
    { left: from.left + left, top: from.top + top },
  ];
}

const DISC_CORNERS = 10;

function discAt({ left, top }: Pixel, radius: number): Pixel[] {
  return Array.from({ length: DISC_CORNERS }, (_, corner) => {
    const angle = (corner / DISC_CORNERS) * 2 * Math.PI;
    return { left: left + radius * Math.cos(angle), top: top + radius * Math.sin(angle) };
  });
}

/** A glow around a spot that fades with the distance. */
export function addGlow(
  raster: Raster,
  at: Pixel,
  { radius, ...paint }: Paint & { readonly radius: number },
): void {
  const { width, height } = raster;
  const brush = brushOf(raster, paint);
  const from = Math.max(0, Math.floor(at.left - radius));
  for (
    let row = Math.max(0, Math.floor(at.top - radius));
    row < Math.min(height, at.top + radius);
    row += 1
  ) {
    for (let column = from; column < Math.min(width, at.left + radius); column += 1) {
      const away = Math.hypot(column + 0.5 - at.left, row + 0.5 - at.top) / radius;
      if (away < 1) brush(row * width + column, (1 - away) ** 3);
    }
  }
}

type Brush = (pixel: number, share: number) => void;

/** Blends a colour into pixels by their coverage. */
function brushOf({ rgb }: Raster, { color, opacity = 1 }: Paint): Brush {
  const [red, green, blue] = partsOf(color);
  const lay = (at: number, part: number, weight: number) => {
    const old = rgb[at] ?? 0;
    rgb[at] = Math.round(old + (part - old) * weight);
  };
  return (pixel, share) => {
    const weight = share * opacity;
    lay(pixel * 3, red, weight);
    lay(pixel * 3 + 1, green, weight);
    lay(pixel * 3 + 2, blue, weight);
  };
}

function partsOf(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
