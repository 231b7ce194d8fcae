/**
 * Builds one network of borders from zones that were drawn separately: lines of neighbours a few metres apart become
 * one line, which is simplified and stored once. Plane coordinates in metres.
 */
export type Spot = readonly [x: number, y: number];

export interface BorderNet {
  readonly borders: readonly (readonly Spot[])[];
  /** The borders of each ring in order; ~n is border n in reverse. */
  readonly rings: readonly (readonly number[])[];
}

export function borderNetOf(
  rings: readonly (readonly Spot[])[],
  { weldM, bendM, thinM }: { weldM: number; bendM: number; thinM: number },
): BorderNet {
  const { spots, walks } = weld(rings, { weldM, bendM });
  const isNode = nodesOf(walks);
  const borders: Spot[][] = [];
  const known = new Map<string, number>();
  const netRings = walks.map((walk) =>
    piecesOf(walk, isNode).map((piece) => {
      const key = piece.join();
      const reversed = known.get(piece.toReversed().join());
      if (reversed !== undefined) return ~reversed;
      const index =
        known.get(key) ??
        borders.push(
          thin(
            piece.map((at) => requireSpot(spots, at)),
            thinM,
          ),
        ) - 1;
      known.set(key, index);
      return index;
    }),
  );
  return { borders, rings: netRings };
}

interface Welded {
  readonly spots: readonly Spot[];
  readonly walks: readonly number[][];
}

function weld(
  rings: readonly (readonly Spot[])[],
  { weldM, bendM }: { weldM: number; bendM: number },
): Welded {
  const spots: Spot[] = [];
  const nearest = (spot: Spot) => spots.findIndex((other) => distance(spot, other) <= weldM);
  let walks = rings.map((ring) =>
    withoutSpikes(
      ring.map((spot) => {
        const at = nearest(spot);
        return at === -1 ? spots.push(spot) - 1 : at;
      }),
    ),
  );
  // A line moved to a nearby spot may come close to another one; this settles within a few rounds.
  for (let round = 0; round < 10; round += 1) {
    const bent = walks.map((walk) => withoutSpikes(bendToSpots(walk, spots, { mostM: weldM })));
    if (bent.every((walk, index) => walk.length === walks[index]?.length)) break;
    walks = bent;
  }
  // A line without a neighbour may have one slightly farther away. Spots of its own ring are excluded, because they
  // would fold it.
  const lines = new Set(walks.flatMap((walk) => walk.map((from, index) => `${from} ${nextIn(walk, index)}`)));
  const isShared = (from: number, to: number) => lines.has(`${to} ${from}`);
  walks = walks.map((walk) => withoutSpikes(bendToSpots(walk, spots, { mostM: bendM, isShared })));
  return { spots, walks };
}

function bendToSpots(
  walk: readonly number[],
  spots: readonly Spot[],
  { mostM, isShared }: { mostM: number; isShared?: (from: number, to: number) => boolean },
): number[] {
  const own = new Set(isShared ? walk : []);
  return walk.flatMap((from, index) => {
    const to = nextIn(walk, index);
    if (isShared?.(from, to)) return [from];
    const a = requireSpot(spots, from);
    const b = requireSpot(spots, to);
    const beside = spots
      .map((spot, at) => ({ at, ...footOf(spot, a, b) }))
      .filter(({ at, share, away }) => at !== from && at !== to && share > 0 && share < 1 && away <= mostM)
      .filter(({ at }) => !own.has(at))
      .sort((one, other) => one.share - other.share);
    return [from, ...beside.map(({ at }) => at)];
  });
}

function nextIn(walk: readonly number[], index: number): number {
  return walk[(index + 1) % walk.length] ?? 0;
}

/** Removes spikes: lines that go out and straight back. */
function withoutSpikes(walk: readonly number[]): number[] {
  const kept = [...walk];
  for (let at = 0; kept.length > 2 && at < kept.length; ) {
    const before = kept.at(at - 1);
    const after = kept[(at + 1) % kept.length];
    if (kept[at] === after) kept.splice(at, 1);
    else if (before === after) kept.splice(at, 1);
    else {
      at += 1;
      continue;
    }
    at = Math.max(0, at - 2);
  }
  return kept;
}

/** Spots where borders meet: more or fewer than two lines end there. */
function nodesOf(walks: readonly (readonly number[])[]): (spot: number) => boolean {
  const neighbours = new Map<number, Set<number>>();
  for (const walk of walks) {
    walk.forEach((from, index) => {
      const to = nextIn(walk, index);
      neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to));
      neighbours.set(to, (neighbours.get(to) ?? new Set()).add(from));
    });
  }
  return (spot) => neighbours.get(spot)?.size !== 2;
}

function piecesOf(walk: readonly number[], isNode: (spot: number) => boolean): number[][] {
  const start = Math.max(0, walk.findIndex(isNode));
  const turned = [...walk.slice(start), ...walk.slice(0, start + 1)];
  const pieces: number[][] = [];
  let piece: number[] = [];
  for (const spot of turned) {
    piece.push(spot);
    if (piece.length > 1 && (isNode(spot) || spot === turned.at(-1))) {
      pieces.push(piece);
      piece = [spot];
    }
  }
  return pieces;
}

/** Douglas–Peucker: drops points within the tolerance of the remaining line. */
export function thin(line: readonly Spot[], toleranceM: number): Spot[] {
  const [first] = line;
  const last = line.at(-1);
  if (first === undefined || last === undefined || line.length < 3) return [...line];
  const isClosed = first === last;
  let farthest = { at: 0, away: -1 };
  line.slice(1, -1).forEach((spot, index) => {
    const away = isClosed ? distance(spot, first) : footOf(spot, first, last).away;
    if (away > farthest.away) farthest = { at: index + 1, away };
  });
  if (!isClosed && farthest.away <= toleranceM) return [first, last];
  return [
    ...thin(line.slice(0, farthest.at + 1), toleranceM),
    ...thin(line.slice(farthest.at), toleranceM).slice(1),
  ];
}

/** The position along the line from a to b that is nearest to the spot, and the distance. */
function footOf(spot: Spot, a: Spot, b: Spot): { share: number; away: number } {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const lengthSquared = dx * dx + dy * dy;
  const along = lengthSquared === 0 ? 0 : ((spot[0] - a[0]) * dx + (spot[1] - a[1]) * dy) / lengthSquared;
  const share = Math.min(1, Math.max(0, along));
  return { share, away: distance(spot, [a[0] + share * dx, a[1] + share * dy]) };
}

function distance(one: Spot, other: Spot): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

function requireSpot(spots: readonly Spot[], at: number): Spot {
  const spot = spots[at];
  if (spot === undefined) throw new Error(`There is no spot ${at}`);
  return spot;
}
