// Groups the pieces of a mail by advert.
import type { Piece } from "./mail-pieces.ts";
import { urlOf } from "./mail-url.ts";

export interface Line {
  readonly text: string;
  readonly isStruck: boolean;
  /** Whether it is part of a link. */
  readonly isLinked: boolean;
  /** The portal's last comment mark before it, inside the advert. */
  readonly mark: string | null;
}

export interface Card {
  readonly code: string;
  readonly links: readonly URL[];
  /** In reading order, without the title attributes of links and pictures. */
  readonly lines: readonly Line[];
  readonly titles: readonly string[];
  readonly images: readonly string[];
  /** Links between this advert and the next: the portals put the saved search there. */
  readonly nextLinks: readonly URL[];
  /** Whether it was joined from several places in the mail. */
  readonly isJoined: boolean;
}

export interface CardRules {
  /** The code of the advert that a link leads to; null for other links. */
  readonly codeOf: (url: URL) => string | null;
  /** Whether a link's title attribute is the advert's title. */
  readonly hasTitle?: (url: URL) => boolean;
  /** The portal's comments before and after each advert, if it writes any. */
  readonly startMark?: RegExp;
  readonly endMark?: RegExp;
}

export type Cards =
  | { readonly ok: true; readonly cards: readonly Card[] }
  | { readonly ok: false; readonly why: string };

/** The pieces of one advert, and those between it and the next. */
interface Segment {
  readonly inside: readonly Piece[];
  readonly after: readonly Piece[];
}

/** More than any real alert has. */
const MAX_CARDS = 500;

export function cardsOf(pieces: readonly Piece[], rules: CardRules): Cards {
  const marked = segmentsByMarks(pieces, rules);
  const segments: Segment[] = [];
  for (const ground of marked.length > 0 ? marked : [{ inside: pieces, after: [] }]) {
    // If the marks enclose several adverts, or there are no marks, adverts are separated by their links.
    if (marked.length > 0 && codesIn(ground.inside, rules).size <= 1) segments.push(ground);
    else if (standPricesBefore(ground.inside, rules)) {
      return { ok: false, why: "prices come before their adverts" };
    } else segments.push(...segmentsByLinks(ground, rules));
  }
  if (segments.length > MAX_CARDS) return { ok: false, why: "too many adverts" };
  const cards = new Map<string, Card>();
  for (const segment of segments) {
    for (const code of codesIn(segment.inside, rules)) {
      cards.set(code, joined(cards.get(code), cardOf(code, segment, rules)));
    }
  }
  return { ok: true, cards: [...cards.values()] };
}

/** The portal's marks enclose one advert each. */
function segmentsByMarks(pieces: readonly Piece[], { startMark, endMark }: CardRules): Segment[] {
  const segments: { inside: Piece[]; after: Piece[] }[] = [];
  let isInside = false;
  for (const piece of pieces) {
    if (piece.type === "mark" && startMark?.test(piece.text)) {
      segments.push({ inside: [], after: [] });
      isInside = true;
      continue;
    }
    if (piece.type === "mark") isInside &&= !endMark?.test(piece.text);
    const segment = segments.at(-1);
    (isInside ? segment?.inside : segment?.after)?.push(piece);
  }
  return segments;
}

/** Without marks an advert extends from the first link to it until the next link to another page. */
function segmentsByLinks(ground: Segment, rules: CardRules): Segment[] {
  const segments: { inside: Piece[]; after: Piece[] }[] = [];
  let current: string | null = null;
  for (const piece of ground.inside) {
    const url = piece.type === "link" ? urlOf(piece.href) : null;
    if (url) {
      const code = rules.codeOf(url);
      if (code !== null && code !== current) segments.push({ inside: [], after: [] });
      current = code;
    }
    const segment = segments.at(-1);
    (current === null ? segment?.after : segment?.inside)?.push(piece);
  }
  segments.at(-1)?.after.push(...ground.after);
  return segments.map(({ inside, after }) => ({ inside: withoutTail(inside, rules), after }));
}

/** After its price, the last link to the advert ends it. What follows belongs to the mail. */
function withoutTail(inside: readonly Piece[], rules: CardRules): readonly Piece[] {
  const last = inside.findLastIndex((piece) => isAdvertLink(piece, rules));
  const isPriced = inside
    .slice(0, last)
    .some((piece) => piece.type === "text" && /\d\s*€|€\s*\d/.test(piece.text));
  if (!isPriced) return inside;
  const tail = inside.findIndex((piece, at) => at > last && piece.type === "text" && !piece.isLinked);
  return tail < 0 ? inside : inside.slice(0, tail);
}

/** If so, every price would be assigned to the previous advert. */
function standPricesBefore(pieces: readonly Piece[], rules: CardRules): boolean {
  const first = pieces.findIndex((piece) => isAdvertLink(piece, rules));
  if (first < 0) return false;
  const last = pieces.findLastIndex((piece) => isAdvertLink(piece, rules));
  const isPrice = (piece: Piece) =>
    piece.type === "text" && /^[^\p{L}]*\d[^\p{L}]*€/u.test(piece.text.slice(0, 60));
  return pieces.slice(Math.max(0, first - 4), first).some(isPrice) && !pieces.slice(last).some(isPrice);
}

function isAdvertLink(piece: Piece, { codeOf }: CardRules): boolean {
  const url = piece.type === "link" ? urlOf(piece.href) : null;
  return url !== null && codeOf(url) !== null;
}

function codesIn(pieces: readonly Piece[], { codeOf }: CardRules): Set<string> {
  return new Set(linksIn(pieces).flatMap((url) => codeOf(url) ?? []));
}

function cardOf(code: string, { inside, after }: Segment, { codeOf, hasTitle }: CardRules): Card {
  const lines: Line[] = [];
  const titles: string[] = [];
  let mark: string | null = null;
  for (const piece of inside) {
    if (piece.type === "mark") mark = piece.text;
    else if (piece.type === "text") lines.push({ ...piece, mark });
    else if (piece.title !== null) {
      const url = piece.type === "link" ? urlOf(piece.href) : null;
      if (piece.type === "image" || (url && hasTitle?.(url))) titles.push(piece.title);
    }
  }
  return {
    code,
    links: linksIn(inside),
    lines,
    titles,
    images: inside.flatMap((piece) => (piece.type === "image" ? [piece.src] : [])),
    nextLinks: linksIn(after).filter((url) => codeOf(url) === null),
    isJoined: false,
  };
}

/** Joins the places of an advert that occurs several times. */
function joined(known: Card | undefined, card: Card): Card {
  if (!known) return card;
  return {
    code: card.code,
    links: [...known.links, ...card.links],
    lines: [...known.lines, ...card.lines],
    titles: [...known.titles, ...card.titles],
    images: [...known.images, ...card.images],
    nextLinks: [...known.nextLinks, ...card.nextLinks],
    isJoined: true,
  };
}

function linksIn(pieces: readonly Piece[]): URL[] {
  return pieces.flatMap((piece) => (piece.type === "link" ? (urlOf(piece.href) ?? []) : []));
}
