/** Areas that share their borders, as scripts/zones/draw-spain.ts writes them: each border is stored once. */
import { decodeSteps, type Point } from "../geo/polyline.ts";

export interface AreaNet {
  /** Lines on the grid as encoded steps, separated by spaces. Each begins relative to the end of the one before. */
  readonly lines: string;
  /** A row for each area: its number, its name and its rings, the largest first, separated by tabs. */
  readonly areas: string;
}

interface NetArea {
  readonly id: string;
  readonly name: string;
  /** The largest first. The first point is not repeated at the end. */
  readonly rings: readonly (readonly Point[])[];
}

/** The grid of es-atlas 0.6.0: a cell is about 190 m wide and 180 m high. */
const GRID = {
  longitude: { first: -18.16118085, step: 0.002249121470147015 },
  latitude: { first: 27.637723150000003, step: 0.001615627204520452 },
};

const decoded = new WeakMap<AreaNet, readonly NetArea[]>();

export function areasInNet(net: AreaNet): readonly NetArea[] {
  const known = decoded.get(net);
  if (known) return known;
  const lines = linesOf(net.lines);
  let next = 0;
  const ringOf = (text: string): Point[] =>
    // Each line ends where the next one begins.
    (decodeSteps(text) ?? []).flatMap((back) => {
      if (back === 0) return (lines[next++] ?? []).slice(1);
      const line = lines[next - Math.abs(back)] ?? [];
      return (back < 0 ? line.toReversed() : line).slice(1);
    });
  const areas = net.areas.split("\n").map((row) => {
    const [id = "", name = "", ...rings] = row.split("\t");
    return { id, name, rings: rings.map(ringOf) };
  });
  decoded.set(net, areas);
  return areas;
}

function linesOf(text: string): Point[][] {
  let [x, y] = [0, 0];
  return text.split(" ").map((line) => {
    const steps = decodeSteps(line) ?? [];
    const points: Point[] = [];
    for (let at = 0; at < steps.length; at += 2) {
      x += steps[at] ?? 0;
      y += steps[at + 1] ?? 0;
      points.push({
        latitude: GRID.latitude.first + y * GRID.latitude.step,
        longitude: GRID.longitude.first + x * GRID.longitude.step,
      });
    }
    return points;
  });
}
