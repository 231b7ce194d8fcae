import type { Point } from "../geo/polyline.ts";

/** The border around zones that may touch: the lines that only one of them has, in pieces. */
export function outlineOf(rings: readonly (readonly Point[])[]): (readonly Point[])[] {
  const lines = rings.flatMap((ring) =>
    ring.map((from, index): readonly [Point, Point] => [from, ring[(index + 1) % ring.length] ?? from]),
  );
  const keys = new Set(lines.map(([from, to]) => keyOf(from, to)));
  return chained(lines.filter(([from, to]) => !keys.has(keyOf(to, from))));
}

function keyOf(from: Point, to: Point): string {
  return `${from.latitude} ${from.longitude} ${to.latitude} ${to.longitude}`;
}

/** Joins consecutive lines, so that they are drawn without seams. */
function chained(lines: readonly (readonly [Point, Point])[]): Point[][] {
  const chains: Point[][] = [];
  for (const [from, to] of lines) {
    const last = chains.at(-1);
    const end = last?.at(-1);
    if (last && end?.latitude === from.latitude && end.longitude === from.longitude) last.push(to);
    else chains.push([from, to]);
  }
  return chains;
}
