import type { FindPoint } from "../finds/find.ts";
import type { Spot } from "./plane.ts";

export interface Window {
  readonly spot: Spot;
  readonly find: FindPoint;
}

/** Finds too close to each other to be drawn separately, drawn as one building. */
export interface Facade {
  readonly spot: Spot;
  /** Kept ones first, gone ones last. */
  readonly finds: readonly FindPoint[];
}

/** Cells are fixed to the plane, so that panning does not regroup the finds. */
export function facadesOf(windows: readonly Window[], cellM: number): Facade[] {
  const cells = new Map<string, Window[]>();
  for (const window of windows) {
    const key = `${Math.floor(window.spot.x / cellM)} ${Math.floor(window.spot.y / cellM)}`;
    const cell = cells.get(key);
    if (cell) cell.push(window);
    else cells.set(key, [window]);
  }
  return [...cells.values()].map((cell) => ({
    spot: {
      x: cell.reduce((sum, { spot }) => sum + spot.x, 0) / cell.length,
      y: cell.reduce((sum, { spot }) => sum + spot.y, 0) / cell.length,
    },
    finds: cell.map(({ find }) => find).sort((one, other) => lightOf(other) - lightOf(one)),
  }));
}

/** The brightness of a find: 2 kept, 1 on offer, 0 gone. */
export function lightOf({ mark, isGone }: FindPoint): 0 | 1 | 2 {
  if (isGone) return 0;
  return mark === "kept" ? 2 : 1;
}
