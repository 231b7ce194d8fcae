import { decodePolyline, encodePolyline, type Point } from "./polyline.ts";

/** Spain with its islands and the border strips of France that the portal lists, with a margin for drawing around them. */
const SPAIN_BOX = { south: 26, north: 45, west: -20, east: 6 };
const LEFT = "(";
const RIGHT = ")";

/**
 * The rings of a `shape` parameter, closed and normalised. Undefined if it is not a drawing over Spain. The portal
 * writes ((ring)(ring)), sometimes with another pair of parentheses around.
 */
export function parseShape(text: string): string[] | undefined {
  const pieces = piecesOf(text);
  if (!pieces) return undefined;
  const rings: string[] = [];
  for (const piece of pieces) {
    const points = decodePolyline(piece);
    const ring = points && closed(points);
    if (!ring || !isDrawnOverSpain(ring)) return undefined;
    rings.push(encodePolyline(ring));
  }
  return [...new Set(rings)];
}

export function shapeOf(rings: readonly string[]): string {
  return LEFT + rings.map((ring) => LEFT + ring + RIGHT).join("") + RIGHT;
}

/** The texts between parentheses. Undefined unless all parentheses pair up and all texts have the same depth. */
function piecesOf(text: string): string[] | undefined {
  const pieces: string[] = [];
  const depths = new Set<number>();
  let depth = 0;
  for (const part of text.split(/([()])/)) {
    if (part === "") continue;
    if (part === LEFT) depth++;
    else if (part === RIGHT) depth--;
    else {
      pieces.push(part);
      depths.add(depth);
    }
    if (depth < 0) return undefined;
  }
  return depth === 0 && depths.size === 1 && !depths.has(0) ? pieces : undefined;
}

function closed(points: readonly Point[]): Point[] | undefined {
  const distinct = new Set(points.map((point) => `${point.latitude},${point.longitude}`));
  const [first] = points;
  const last = points.at(-1);
  if (distinct.size < 3 || !first || !last) return undefined;
  const isClosed = first.latitude === last.latitude && first.longitude === last.longitude;
  return isClosed ? [...points] : [...points, first];
}

function isDrawnOverSpain(ring: readonly Point[]): boolean {
  const latitudes = ring.map((point) => point.latitude);
  const longitudes = ring.map((point) => point.longitude);
  return (
    ring.every((point) => Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180) &&
    Math.min(...latitudes) <= SPAIN_BOX.north &&
    Math.max(...latitudes) >= SPAIN_BOX.south &&
    Math.min(...longitudes) <= SPAIN_BOX.east &&
    Math.max(...longitudes) >= SPAIN_BOX.west
  );
}
