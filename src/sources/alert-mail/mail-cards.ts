// The adverts of a mail: which of its pieces belong to which code.
import type { Piece } from "./mail-pieces.ts";

export interface Line {
  readonly text: string;
  readonly isStruck: boolean;
  /** Part of a link. */
  readonly isLinked: boolean;
}

export interface Card {
  readonly code: string;
  readonly links: readonly URL[];
  /** In the order in which an eye meets them; the titles of links and pictures aside. */
  readonly lines: readonly Line[];
  readonly titles: readonly string[];
  readonly images: readonly string[];
  /** Links between this advert and the next: the portals put the saved search there. */
  readonly nextLinks: readonly URL[];
}

export interface CardRules {
  /** The advert that a link leads to; null where it leads elsewhere. */
  readonly codeOf: (url: URL) => string | null;
  /** Comments of the portal's that stand before and after each advert, where it writes any. */
  readonly startMark?: RegExp;
  readonly endMark?: RegExp;
}

export type Cards =
  | { readonly ok: true; readonly cards: readonly Card[] }
  | { readonly ok: false; readonly why: string };

/** One advert's pieces, and those that follow before the next. */
interface Segment {
  readonly inside: Piece[];
  readonly after: Piece[];
}

/** More adverts than any alert holds. */
const MAX_CARDS = 500;

export function cardsOf(pieces: readonly Piece[], rules: CardRules): Cards {
  const isStart = (piece: Piece) => piece.type === "mark" && rules.startMark?.test(piece.text) === true;
  const isMarked = pieces.some(isStart);
  if (!isMarked && standPricesBefore(pieces, rules)) {
    return { ok: false, why: "prices that stand before their adverts" };
  }
  const segments = isMarked ? segmentsByMarks(pieces, isStart, rules) : segmentsByLinks(pieces, rules);
  if (segments.length > MAX_CARDS) return { ok: false, why: "more adverts than an alert has" };
  const cards = new Map<string, Card>();
  for (const segment of segments) {
    const codes = new Set(linksIn(segment.inside).flatMap((url) => rules.codeOf(url) ?? []));
    if (codes.size > 1) return { ok: false, why: "two adverts in one place" };
    for (const code of codes) cards.set(code, joined(cards.get(code), cardOf(code, segment, rules)));
  }
  return { ok: true, cards: [...cards.values()] };
}

/** Between the portal's own marks stands one advert, in whatever order. */
function segmentsByMarks(
  pieces: readonly Piece[],
  isStart: (piece: Piece) => boolean,
  { endMark }: CardRules,
): Segment[] {
  const segments: Segment[] = [];
  let isInside = false;
  for (const piece of pieces) {
    if (isStart(piece)) {
      segments.push({ inside: [], after: [] });
      isInside = true;
    } else if (piece.type === "mark") isInside &&= !endMark?.test(piece.text);
    else (isInside ? segments.at(-1)?.inside : segments.at(-1)?.after)?.push(piece);
  }
  return segments;
}

/** Without marks an advert goes from the first link to it to the next link that leads elsewhere. */
function segmentsByLinks(pieces: readonly Piece[], { codeOf }: CardRules): Segment[] {
  const segments: Segment[] = [];
  let current: string | null = null;
  for (const piece of pieces) {
    const url = piece.type === "link" ? urlOf(piece.href) : null;
    if (url) {
      const code = codeOf(url);
      if (code !== null && code !== current) segments.push({ inside: [], after: [] });
      current = code;
    }
    const segment = segments.at(-1);
    (current === null ? segment?.after : segment?.inside)?.push(piece);
  }
  return segments;
}

/** Then every price would be read as that of the advert above it. */
function standPricesBefore(pieces: readonly Piece[], { codeOf }: CardRules): boolean {
  const isAdvert = (piece: Piece) => {
    const url = piece.type === "link" ? urlOf(piece.href) : null;
    return url !== null && codeOf(url) !== null;
  };
  const first = pieces.findIndex(isAdvert);
  if (first < 0) return false;
  const last = pieces.findLastIndex(isAdvert);
  const isPrice = (piece: Piece) => piece.type === "text" && /^[^\p{L}]*\d[^\p{L}]*€/u.test(piece.text);
  return pieces.slice(Math.max(0, first - 4), first).some(isPrice) && !pieces.slice(last).some(isPrice);
}

function cardOf(code: string, { inside, after }: Segment, { codeOf }: CardRules): Card {
  const isElsewhere = (url: URL) => codeOf(url) === null;
  return {
    code,
    links: linksIn(inside),
    lines: inside.filter((piece) => piece.type === "text"),
    titles: inside.flatMap((piece) => ("title" in piece && piece.title !== null ? [piece.title] : [])),
    images: inside.flatMap((piece) => (piece.type === "image" ? [piece.src] : [])),
    nextLinks: linksIn(after).filter(isElsewhere),
  };
}

/** An advert that stands in several places is one. */
function joined(known: Card | undefined, card: Card): Card {
  if (!known) return card;
  return {
    code: card.code,
    links: [...known.links, ...card.links],
    lines: [...known.lines, ...card.lines],
    titles: [...known.titles, ...card.titles],
    images: [...known.images, ...card.images],
    nextLinks: [...known.nextLinks, ...card.nextLinks],
  };
}

function linksIn(pieces: readonly Piece[]): URL[] {
  return pieces.flatMap((piece) => (piece.type === "link" ? (urlOf(piece.href) ?? []) : []));
}

/** A link as a URL, where it is one of the web. */
function urlOf(href: string): URL | null {
  const url = URL.parse(href);
  return url && (url.protocol === "https:" || url.protocol === "http:") ? url : null;
}
