/**
 * Where a list that was read connects to the order that a feed remembers. A known advert by itself proves nothing: renewed adverts
 * jump to the top, and adverts of one minute swap places. Anchors are three adverts in a row that kept their places.
 */

/** This many in a row. */
export const ANCHORS = 3;
/** Withdrawn adverts above an anchor: up to half of those that were remembered there, and always this many. */
export const ALWAYS_MISSING = 3;
/** Neighbours of the end of a reading may have moved just below it. */
const MARGIN_SHARE = 0.2;
const LARGEST_MARGIN = 10;

export interface KeptPlace {
  readonly code: string;
  /** Its place in the remembered order if it kept it; undefined for adverts that are new, renewed or not remembered. */
  readonly kept: number | undefined;
}

/** `met`: newest first, each once. `order`: what is remembered as listed, newest first. */
export function placesOf(met: readonly string[], order: readonly string[]): KeptPlace[] {
  const placeOf = new Map(order.map((code, place) => [code, place]));
  const metBefore = new Set<number>();
  return met.map((code) => {
    const place = placeOf.get(code);
    if (place === undefined) return { code, kept: undefined };
    const missing = place - countBelow(metBefore, place);
    metBefore.add(place);
    return { code, kept: missing <= Math.max(ALWAYS_MISSING, place / 2) ? place : undefined };
  });
}

function countBelow(places: ReadonlySet<number>, limit: number): number {
  let count = 0;
  for (const place of places) if (place < limit) count += 1;
  return count;
}

/** The index of the last advert of the last anchors; -1 if the list does not connect. */
export function lastAnchorOf(places: readonly KeptPlace[]): number {
  for (let end = places.length - 1; end >= ANCHORS - 1; end -= 1) {
    if (isAnchored(places, end)) return end;
  }
  return -1;
}

/** The index of the last advert of the first anchors; -1 if the list does not connect. */
export function firstAnchorOf(places: readonly KeptPlace[]): number {
  return places.findIndex((_, end) => end >= ANCHORS - 1 && isAnchored(places, end));
}

function isAnchored(places: readonly KeptPlace[], end: number): boolean {
  const run = places.slice(end - ANCHORS + 1, end + 1).map(({ kept }) => kept);
  return run.every((kept, n) => kept !== undefined && (n === 0 || kept > (run[n - 1] ?? kept)));
}

/** The most of them that stand in the order that is remembered: the others have moved. */
export function inOrder(places: readonly KeptPlace[]): (KeptPlace & { readonly kept: number })[] {
  const kept = places.flatMap(({ code, kept }) => (kept === undefined ? [] : [{ code, kept }]));
  // By length, the run of that length whose last place is the least.
  const ends: number[] = [];
  const before = kept.map(({ kept: place }, index) => {
    let length = ends.findLastIndex((end) => (kept[end]?.kept ?? 0) < place) + 1;
    ends[length] = index;
    length -= 1;
    return length < 0 ? -1 : (ends[length] ?? -1);
  });
  const run: (typeof kept)[number][] = [];
  for (let index = ends.at(-1) ?? -1; index !== -1; index = before[index] ?? -1) {
    const place = kept[index];
    if (place) run.push(place);
  }
  return run.toReversed();
}

/**
 * The remembered place down to which every advert that was not met is certainly missing: anchors lie below it, and more of them
 * than can have moved past the end of the reading. -1 if the list proves no absence.
 */
export function provenUntil(places: readonly KeptPlace[]): number {
  const end = lastAnchorOf(places);
  if (end === -1) return -1;
  const margin = Math.max(ANCHORS, Math.min(LARGEST_MARGIN, Math.ceil(places.length * MARGIN_SHARE)));
  const anchored = places.slice(0, end + 1).flatMap(({ kept }) => kept ?? []);
  const proven = anchored.slice(0, Math.max(0, anchored.length - margin + 1));
  return proven.length === 0 ? -1 : Math.max(...proven);
}

/**
 * Whether an advert that the feed did not know lies within what it remembers: it was not there when that was read, so it came
 * since. Below, it may have been there before the feed's first reading.
 */
export function isRemembered(
  places: readonly KeptPlace[],
  index: number,
  order: readonly string[],
  isReadToEnd: boolean,
): boolean {
  if (isReadToEnd || order.length === 0) return true;
  const after = places.findLastIndex(({ kept }) => kept !== undefined);
  if (after === -1 || after > index) return true;
  const last = places[after]?.kept ?? 0;
  return last < order.length - 1;
}
