interface Plane {
  readonly x: number;
  readonly y: number;
}

/** Points on the map's plane that are close to each other, as one. */
export interface Cluster<Spot> extends Plane {
  readonly spots: readonly Spot[];
}

/** How far a cluster is drawn from its first point to the middle of its points. Two of them never meet. */
const TO_MIDDLE = 0.5;
/** More than there are on a map of the world. */
const ROWS = 2 ** 26;
const NEIGHBOURS = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((up) => [right, up] as const));

/** Each cluster holds what is within the distance of its first point. Neighbours are found in cells of that size. */
export function clustersOf<Spot extends Plane>(spots: readonly Spot[], distance: number): Cluster<Spot>[] {
  const cellOf = ({ x, y }: Plane, right = 0, up = 0) =>
    (Math.floor(x / distance) + right) * ROWS + Math.floor(y / distance) + up;
  const cells = Map.groupBy(spots, (spot) => cellOf(spot));
  const taken = new Set<Spot>();
  const takeNear = (first: Spot): Spot[] => {
    const near = NEIGHBOURS.flatMap(([right, up]) => cells.get(cellOf(first, right, up)) ?? []).filter(
      (spot) => !taken.has(spot) && areNear(first, spot, distance),
    );
    for (const spot of near) taken.add(spot);
    return near;
  };
  return spots.flatMap((first) => (taken.has(first) ? [] : [clusterAround(first, takeNear(first))]));
}

function areNear(one: Plane, other: Plane, distance: number): boolean {
  return Math.abs(one.x - other.x) <= distance && Math.abs(one.y - other.y) <= distance;
}

function clusterAround<Spot extends Plane>(first: Spot, spots: readonly Spot[]): Cluster<Spot> {
  const middleOf = (axis: "x" | "y") => spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length;
  return {
    x: first.x + (middleOf("x") - first.x) * TO_MIDDLE,
    y: first.y + (middleOf("y") - first.y) * TO_MIDDLE,
    spots,
  };
}
