// Fotocasa, Habitaclia and Yaencontre: the same kind of mail, told apart by their links.
import type { Operation } from "#core/search/search.ts";
import { addressOf, factsInLines, pricesOf, sortOf } from "./card-facts.ts";
import { type Card, cardsOf, type Line } from "./mail-cards.ts";
import type { MailEvent, MailReading, Portal, UnreadCard } from "./mail-event.ts";
import type { Piece } from "./mail-pieces.ts";

export type OtherPortal = Exclude<Portal, `idealista.${string}`>;

interface PortalRules {
  readonly host: string;
  /** `code` names the advert; `kept` is what of the path a link to it needs. */
  readonly advert: RegExp;
  readonly urlOf: (match: RegExpExecArray) => string;
  readonly operationOf: (path: string) => Operation | null;
  readonly photoHost: RegExp;
}

const operationIn = (text: string): Operation | null => {
  const isRent = /\balquiler\b|\blloguer\b|\brent\b/i.test(text);
  const isSale = /\bventa\b|\bcomprar?\b|\bsale\b/i.test(text);
  return isRent === isSale ? null : isRent ? "rent" : "sale";
};

const RULES: Readonly<Record<OtherPortal, PortalRules>> = {
  fotocasa: {
    host: "www.fotocasa.es",
    advert: /^(?<kept>\/[a-z]{2}\/(?:alquiler|comprar)\/(?:[a-z0-9-]+\/){1,6}(?<code>\d{5,15})\/d)\/?$/,
    urlOf: ({ groups }) => `https://www.fotocasa.es${groups?.kept}`,
    operationOf: operationIn,
    photoHost: /(?:^|\.)fotocasa\.(?:es|cat)$|(?:^|\.)adevinta\.com$/,
  },
  habitaclia: {
    host: "www.habitaclia.com",
    // What follows the number holds the alert's own and the host of the reader's mail.
    advert: /^\/i(?<code>\d{5,20})(?:\/|$)/,
    urlOf: ({ groups }) => `https://www.habitaclia.com/i${groups?.code}/`,
    operationOf: () => null,
    photoHost: /^images\.habimg\.com$/,
  },
  yaencontre: {
    host: "www.yaencontre.com",
    advert:
      /^(?<kept>\/(?:[a-z]{2}\/)?(?:alquiler|venta)\/[a-z-]+\/inmueble-(?<code>[a-z0-9]{1,15}-\d{3,15}))\/?$/i,
    urlOf: ({ groups }) => `https://www.yaencontre.com${groups?.kept}`,
    operationOf: operationIn,
    photoHost: /(?:^|\.)yaencontre\.com$/,
  },
};

/** Adverts below are not of the saved search. */
const RECOMMENDED = /^(?:te recomendamos|también te puede|quizá te interese|otros anuncios)/i;
const MAX_TITLE_LENGTH = 160;

export function readOtherPortal(portal: OtherPortal, pieces: readonly Piece[], subject: string): MailReading {
  const rules = RULES[portal];
  if (/^hemos contactado por ti|^respuesta de/i.test(subject)) {
    return { type: "not-an-alert", why: "about a contact" };
  }
  const end = pieces.findIndex((piece) => piece.type === "text" && RECOMMENDED.test(piece.text));
  const found = cardsOf(end < 0 ? pieces : pieces.slice(0, end), {
    codeOf: (url) => matchOf(url, rules)?.groups?.code ?? null,
  });
  if (!found.ok) return { type: "unreadable", portal, why: found.why };
  if (found.cards.length === 0) return { type: "not-an-alert", why: "no advert in it" };
  const events: MailEvent[] = [];
  const unread: UnreadCard[] = [];
  const said = operationIn(subject) ?? operationInLinks(pieces);
  for (const card of found.cards) {
    const event = readCard(card, { portal, rules, said });
    if (typeof event === "string") unread.push({ code: card.code, why: event });
    else events.push(event);
  }
  if (events.length === 0) return { type: "unreadable", portal, why: unread[0]?.why ?? "" };
  return { type: found.cards.length > 1 ? "digest" : "alert", portal, events, unread };
}

function matchOf(url: URL, { host, advert }: PortalRules): RegExpExecArray | null {
  return url.hostname === host ? advert.exec(url.pathname) : null;
}

/** Habitaclia's link to the saved search says in its question what was searched for. */
function operationInLinks(pieces: readonly Piece[]): Operation | null {
  for (const piece of pieces) {
    const asked = piece.type === "link" ? URL.parse(piece.href)?.searchParams.get("p") : null;
    const operation = asked ? operationIn(asked.replaceAll("-", " ")) : null;
    if (operation) return operation;
  }
  return null;
}

function readCard(
  card: Card,
  { portal, rules, said }: { portal: OtherPortal; rules: PortalRules; said: Operation | null },
): MailEvent | string {
  const link = card.links.find((url) => matchOf(url, rules));
  const match = link && matchOf(link, rules);
  if (!link || !match) return "no link to the advert";
  const operation = rules.operationOf(link.pathname.replaceAll(/[/-]/g, " ")) ?? said;
  if (operation === null) return "neither for rent nor for sale";
  const own = ownLines(card);
  const prices = pricesOf(own);
  if (!prices.ok) return prices.why;
  const lines = own.map(({ text }) => text);
  const title = titleOf(lines);
  const isCheaper =
    prices.formerPriceEur !== null || lines.some((line) => /^(?:rebajado|ha bajado|bajada)/i.test(line));
  return {
    event: isCheaper ? "cheaper" : "new",
    portal,
    code: card.code,
    listingId: `${portal}:${card.code}`,
    url: rules.urlOf(match),
    operation,
    ...sortOf(title),
    isPrivate: null,
    isAuction: lines.some((line) => /^subasta/i.test(line)),
    title,
    address: placeOf(lines, title),
    priceEur: prices.priceEur,
    formerPriceEur: prices.formerPriceEur,
    ...factsInLines(lines.filter((line) => line !== title)),
    photoUrl: photoOf(card.images, rules.photoHost),
    photoCount: null,
    description:
      lines.filter((line) => line !== title && line.length > 50).sort((a, b) => b.length - a.length)[0] ??
      null,
    searchUrl: null,
  };
}

/** Where the advert is one link, what stands outside it is about something else. */
function ownLines({ lines }: Card): readonly Line[] {
  const linked = lines.filter(({ isLinked }) => isLinked);
  return linked.some(({ text }) => text.includes("€")) ? linked : lines;
}

function titleOf(lines: readonly string[]): string | null {
  return (
    lines.find(
      (line) =>
        line.length <= MAX_TITLE_LENGTH &&
        sortOf(line).typology !== null &&
        /\s(?:en|·|-)\s/.test(line) &&
        !line.includes("€"),
    ) ?? null
  );
}

/** "piso · Carrer X, Badalona"; "Piso en Barcelona - Fort Pienc (Eixam...", from the wide to the narrow. */
function placeOf(lines: readonly string[], title: string | null): string[] {
  if (title === null) return [];
  const [, afterDot] = title.split(" · ");
  if (afterDot !== undefined) return addressOf(afterDot);
  const [town, quarter] = title.replace(/^.{2,40}?\sen\s/i, "").split(" - ");
  if (quarter === undefined) return addressOf(title);
  const isCut = /(?:\.\.\.|…)$/.test(quarter);
  const street = lines[lines.indexOf(title) + 1];
  const isStreet =
    street !== undefined &&
    !/(?:\.\.\.|…)$/.test(street) &&
    /^(?:N\/A )?(?:calle|carrer|avenida|avinguda|plaza|plaça|passeig|paseo|ronda|travessera|rambla|camino)\b/i.test(
      street,
    );
  return [
    ...(isStreet ? [street.replace(/^N\/A /, "")] : []),
    ...(isCut ? [] : [quarter.trim()]),
    town?.trim() ?? "",
  ].filter((part) => part !== "");
}

function photoOf(images: readonly string[], host: RegExp): string | null {
  for (const src of images) {
    const url = URL.parse(src);
    if (
      url?.protocol === "https:" &&
      host.test(url.hostname) &&
      /\.(?:jpe?g|png|webp)$/i.test(url.pathname)
    ) {
      return `${url.origin}${url.pathname}`;
    }
  }
  return null;
}
