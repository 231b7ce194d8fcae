/** Areas of a TopoJSON file as lines that are stored once each, in the form that src/core/zones/area-net.ts reads. */
import { encodeSteps } from "#core/geo/polyline.ts";
import type { Spot } from "./zone-borders.ts";

type Rings = readonly (readonly number[])[];

interface TopologyArea {
  readonly id: string;
  readonly properties: { readonly name: string };
  readonly type: "Polygon" | "MultiPolygon";
  readonly arcs: Rings | readonly Rings[];
}

export interface Topology {
  readonly transform: { readonly scale: Spot; readonly translate: Spot };
  readonly arcs: readonly (readonly Spot[])[];
  readonly objects: Readonly<Record<string, { readonly geometries: readonly TopologyArea[] }>>;
}

interface Wanted {
  readonly object: string;
  readonly isWanted: (area: TopologyArea) => boolean;
  /** The size of the smallest part of an area that is kept besides its largest. */
  readonly leastCells: number;
}

export interface AreaLines {
  readonly lines: string;
  readonly areas: readonly {
    readonly id: string;
    readonly name: string;
    readonly rings: readonly string[];
  }[];
}

interface StoredLine {
  readonly number: number;
  readonly isReversed: boolean;
}

/** Outer rings only: what lies in a hole is an area of its own. */
export function areasOf(topology: Topology, { object, isWanted, leastCells }: Wanted): AreaLines {
  const arcs = topology.arcs.map(spotsOf);
  const stored = new Map<number, StoredLine>();
  const areas = (topology.objects[object]?.geometries ?? []).filter(isWanted).map((area) => ({
    id: area.id,
    name: area.properties.name,
    rings: outerRingsOf(area)
      .map((ring) => ({ ring, cells: cellsIn(ring, arcs) }))
      .sort((one, other) => other.cells - one.cells)
      // A dozen municipalities are smaller than a cell of the grid: the source has them as a point or a line.
      .filter(({ cells }, at) => cells >= (at === 0 ? 1 : leastCells))
      .map(({ ring }) => encodeSteps(ring.map((arc) => referenceTo(arc, stored)))),
  }));
  const lines = [...stored].map(([arc, { isReversed }]) =>
    isReversed ? (arcs[arc] ?? []).toReversed() : (arcs[arc] ?? []),
  );
  return { lines: linesOf(lines), areas };
}

/** Absolute grid cells from steps. */
function spotsOf(arc: readonly Spot[]): Spot[] {
  let [x, y] = [0, 0];
  return arc.map(([right, up]) => {
    x += right;
    y += up;
    return [x, y];
  });
}

function outerRingsOf({ type, arcs }: TopologyArea): Rings {
  const polygons = (type === "Polygon" ? [arcs] : arcs) as readonly Rings[];
  return polygons.flatMap(([outer]) => (outer ? [outer] : []));
}

function cellsIn(ring: readonly number[], arcs: readonly (readonly Spot[])[]): number {
  const spots = walk(ring, arcs);
  const sum = spots.reduce((area, [x, y], at) => {
    const [nextX, nextY] = spots[(at + 1) % spots.length] ?? [0, 0];
    return area + x * nextY - nextX * y;
  }, 0);
  return Math.abs(sum / 2);
}

/** 0 is the next new line; n is the line n back, -n the same reversed. */
function referenceTo(arc: number, lines: Map<number, StoredLine>): number {
  const index = arc < 0 ? ~arc : arc;
  const known = lines.get(index);
  if (!known) {
    // The first area that has a line decides on its direction.
    lines.set(index, { number: lines.size, isReversed: arc < 0 });
    return 0;
  }
  const back = lines.size - known.number;
  return known.isReversed === arc < 0 ? back : -back;
}

function linesOf(arcs: readonly (readonly Spot[])[]): string {
  let [x, y] = [0, 0];
  return arcs
    .map((arc) =>
      encodeSteps(
        arc.flatMap((spot) => {
          const step = [spot[0] - x, spot[1] - y];
          [x, y] = spot;
          return step;
        }),
      ),
    )
    .join(" ");
}

/** The outer rings of some areas, in degrees. */
export function ringsNamed(
  { arcs, transform, objects }: Topology,
  { object, names }: { object: string; names: readonly string[] },
): Spot[][] {
  const lines = arcs.map(spotsOf);
  const degreesOf = ([x, y]: Spot): Spot => [
    x * transform.scale[0] + transform.translate[0],
    y * transform.scale[1] + transform.translate[1],
  ];
  return (objects[object]?.geometries ?? [])
    .filter(({ properties }) => names.includes(properties.name))
    .flatMap(outerRingsOf)
    .map((ring) => walk(ring, lines).map(degreesOf));
}

/** Each line ends where the next one begins. */
function walk(ring: readonly number[], lines: readonly (readonly Spot[])[]): Spot[] {
  return ring.flatMap((arc) => (arc < 0 ? (lines[~arc] ?? []).toReversed() : (lines[arc] ?? [])).slice(1));
}
