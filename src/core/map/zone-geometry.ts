import { boundsOf, type Spot } from "./plane.ts";

/** The border around zones that may touch: the lines that only one of them has. */
export function outlineOf(rings: readonly (readonly Spot[])[]): (readonly Spot[])[] {
  const lines = rings.flatMap((ring) =>
    ring.map((from, index): readonly [Spot, Spot] => [from, ring[(index + 1) % ring.length] ?? from]),
  );
  const keys = new Set(lines.map(([from, to]) => keyOf(from, to)));
  return chained(lines.filter(([from, to]) => !keys.has(keyOf(to, from))));
}

function keyOf(from: Spot, to: Spot): string {
  return `${from.x} ${from.y} ${to.x} ${to.y}`;
}

/** Joins consecutive lines, so that they are drawn without seams. */
function chained(lines: readonly (readonly [Spot, Spot])[]): Spot[][] {
  const chains: Spot[][] = [];
  for (const [from, to] of lines) {
    const last = chains.at(-1);
    const end = last?.at(-1);
    if (last && end?.x === from.x && end.y === from.y) last.push(to);
    else chains.push([from, to]);
  }
  return chains;
}

/** Colours vary slightly, but a zone always has the same one. */
export function roofOf(placeId: string, roofs: readonly string[]): string {
  let sum = 0;
  for (const letter of placeId) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return roofs[sum % roofs.length] ?? "";
}

const STEPS = 14;

/** The grid spot inside a ring that is farthest from its border. */
export function roomiestSpotOf(ring: readonly Spot[]): Spot {
  const bounds = boundsOf(ring);
  let best = { spot: ring[0] ?? { x: 0, y: 0 }, room: 0 };
  if (!bounds) return best.spot;
  for (let row = 1; row < STEPS; row += 1) {
    for (let column = 1; column < STEPS; column += 1) {
      const spot = {
        x: bounds.west + ((bounds.east - bounds.west) * column) / STEPS,
        y: bounds.north + ((bounds.south - bounds.north) * row) / STEPS,
      };
      const room = roomAt(ring, spot);
      if (room > best.room) best = { spot, room };
    }
  }
  return best.spot;
}

/** The squared distance to the border, negative outside. */
function roomAt(ring: readonly Spot[], { x, y }: Spot): number {
  let isInside = false;
  let nearest = Number.POSITIVE_INFINITY;
  let previous = ring.at(-1);
  for (const corner of ring) {
    if (previous) {
      if (
        corner.y > y !== previous.y > y &&
        x < corner.x + ((y - corner.y) / (previous.y - corner.y)) * (previous.x - corner.x)
      ) {
        isInside = !isInside;
      }
      nearest = Math.min(nearest, squaredDistance({ x, y }, previous, corner));
    }
    previous = corner;
  }
  return isInside ? nearest : -nearest;
}

function squaredDistance(spot: Spot, a: Spot, b: Spot): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const lengthSquared = dx * dx + dy * dy;
  const along = lengthSquared === 0 ? 0 : ((spot.x - a.x) * dx + (spot.y - a.y) * dy) / lengthSquared;
  const share = Math.min(1, Math.max(0, along));
  return (spot.x - a.x - share * dx) ** 2 + (spot.y - a.y - share * dy) ** 2;
}
