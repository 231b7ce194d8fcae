// Reads the alerts of Fotocasa, Habitaclia and Yaencontre, which differ in their links.
import type { Operation } from "#core/search/search.ts";
import { isTitle, partsOf, placeIn, sortOf } from "./advert-title.ts";
import { pricesOf } from "./card-prices.ts";
import { factsInLines } from "./home-facts.ts";
import { type Card, cardsOf, type Line } from "./mail-cards.ts";
import type { MailEvent, MailReading, Portal, UnreadCard } from "./mail-event.ts";
import type { Piece } from "./mail-pieces.ts";
import { saysAlert } from "./mail-subject.ts";
import { photoUrlOf, urlOf } from "./mail-url.ts";

export type OtherPortal = Exclude<Portal, `idealista.${string}`>;

interface PortalRules {
  readonly domain: string;
  /** `code` is the advert's code; `kept` is the part of the path that a link to it needs. */
  readonly advert: RegExp;
  readonly urlOf: (match: RegExpExecArray) => string;
  readonly photoHost: RegExp;
  readonly photoPath: RegExp;
  readonly placeOf: (title: string, lines: readonly string[]) => string[];
}

const CUT = /\s*(?:\.{3}|…)$/;
const PICTURE = /\.(?:jpe?g|png|webp)$/i;

const RULES: Readonly<Record<OtherPortal, PortalRules>> = {
  fotocasa: {
    domain: "fotocasa.es",
    advert:
      /^(?<kept>\/[a-z]{2}\/(?:alquiler|comprar|lloguer)\/(?:[\w%.-]{1,100}\/){1,6}(?<code>[1-9]\d{4,14})\/d)\/?$/,
    urlOf: ({ groups }) => `https://www.fotocasa.es${groups?.kept}`,
    photoHost: /^(?:static|images?|img)\d*\.fotocasa\.es$|\.adevinta\.com$/,
    photoPath: /\/images?\/|\.(?:jpe?g|png|webp)$/i,
    placeOf: placeAtFotocasa,
  },
  habitaclia: {
    domain: "habitaclia.com",
    // What follows the code identifies the alert and the recipient's mail host.
    advert: /^\/i(?<code>[1-9]\d{4,19})(?:\/|$)/,
    urlOf: ({ groups }) => `https://www.habitaclia.com/i${groups?.code}/`,
    photoHost: /^images\.habimg\.com$/,
    photoPath: PICTURE,
    placeOf: placeAtHabitaclia,
  },
  yaencontre: {
    domain: "yaencontre.com",
    advert:
      /^(?<kept>\/(?:[a-z]{2}\/)?(?:alquiler|venta)[a-z-]*\/[a-z-]{1,60}\/inmueble-(?<code>[a-z0-9]{1,15}-\d{3,15}))\/?$/i,
    urlOf: ({ groups }) => `https://www.yaencontre.com${groups?.kept}`,
    photoHost: /^media\d*\.yaencontre\.com$/,
    photoPath: PICTURE,
    placeOf: (title) => partsOf(placeIn(title.replace(CUT, "")).split(/,\s|\sen\s/), CUT.test(title)),
  },
};

export function readOtherPortal(portal: OtherPortal, pieces: readonly Piece[], subject: string): MailReading {
  const rules = RULES[portal];
  const found = cardsOf(pieces, { codeOf: (url) => matchOf(url, rules)?.groups?.code ?? null });
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
  if (events.length > 0) {
    return { type: found.cards.length > 1 ? "digest" : "alert", portal, events, unread };
  }
  return saysAlert(subject)
    ? { type: "unreadable", portal, why: unread[0]?.why ?? "" }
    : { type: "not-an-alert", why: "nothing about a saved search" };
}

function matchOf({ hostname, pathname }: URL, { domain, advert }: PortalRules): RegExpExecArray | null {
  const isPortal = hostname === domain || hostname === `www.${domain}` || hostname === `m.${domain}`;
  return isPortal ? advert.exec(pathname) : null;
}

function operationIn(text: string): Operation | null {
  const isRent = /\balquiler\b|\blloguer\b|\brent\b/i.test(text);
  const isSale = /\bventa\b|\bcomprar?\b|\bsale\b/i.test(text);
  return isRent === isSale ? null : isRent ? "rent" : "sale";
}

/** Habitaclia's link to the saved search has the operation in its query. */
function operationInLinks(pieces: readonly Piece[]): Operation | null {
  for (const piece of pieces) {
    const asked = piece.type === "link" ? urlOf(piece.href)?.searchParams.get("p") : null;
    const operation = asked ? operationIn(asked.replaceAll("-", " ")) : null;
    if (operation) return operation;
  }
  return null;
}

function operationInPath({ pathname }: URL, portal: OtherPortal): Operation | null {
  if (portal === "habitaclia") return null;
  return operationIn(pathname.split("/").slice(0, 3).join(" ").replaceAll("-", " "));
}

function readCard(
  card: Card,
  { portal, rules, said }: { portal: OtherPortal; rules: PortalRules; said: Operation | null },
): MailEvent | string {
  const link = card.links.find((url) => matchOf(url, rules));
  const match = link && matchOf(link, rules);
  if (!link || !match) return "no link to the advert";
  const operation = operationInPath(link, portal) ?? said;
  if (operation === null) return "neither for rent nor for sale";
  const own = ownLines(card);
  const lines = own.map(({ text }) => text);
  const saysCheaper = lines.some((line) => /^(?:rebajad[oa]|ha bajado|bajada)/i.test(line));
  const prices = pricesOf(own, { mayBeCut: saysCheaper && !card.isJoined });
  if (!prices.ok) return prices.why;
  if (operation === "sale" && prices.isMonthly) return "a rent in an advert for sale";
  const title = lines.find((line) => isTitle(line) && /\s(?:en|·|-)\s|,\s/.test(line)) ?? null;
  return {
    event: prices.formerPriceEur !== null || saysCheaper ? "cheaper" : "new",
    portal,
    code: card.code,
    listingId: `${portal}:${card.code}`,
    url: rules.urlOf(match),
    operation,
    ...sortOf(title),
    isPrivate: null,
    isAuction: lines.some((line) => /^subasta/i.test(line)),
    title,
    address: title === null ? [] : rules.placeOf(title, lines),
    priceEur: prices.priceEur,
    formerPriceEur: prices.formerPriceEur,
    ...factsInLines(
      lines.filter((line) => line !== title),
      title === null ? [] : [title],
    ),
    photoUrl:
      card.images
        .map((src) => photoUrlOf(src, rules.photoHost, rules.photoPath))
        .find((url) => url !== null) ?? null,
    photoCount: null,
    description: descriptionIn(lines.filter((line) => line !== title)),
    searchUrl: null,
  };
}

/** If the advert is one link, lines outside of it are about something else. */
function ownLines({ lines }: Card): readonly Line[] {
  const linked = lines.filter(({ isLinked }) => isLinked);
  return linked.some(({ text }) => text.includes("€")) ? linked : lines;
}

/** A line with a mail address is not part of the advert. */
function descriptionIn(lines: readonly string[]): string | null {
  const words = lines.filter((line) => line.length > 50 && !/[^\s@]@[^\s@]/.test(line));
  return words.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** "piso · Carrer X 9, Badalona", "casa-chalet, Arteixo". */
function placeAtFotocasa(title: string): string[] {
  const isCut = CUT.test(title);
  const bare = title.replace(CUT, "");
  const [, behindDot] = bare.split(" · ");
  if (behindDot !== undefined) return partsOf(behindDot.split(","), isCut);
  const [first = "", ...rest] = bare.split(",");
  return partsOf(/\s/.test(first.trim()) ? placeIn(bare).split(",") : rest, isCut);
}

/** "Piso en Barcelona - Fort Pienc (Eixam...": from wide to narrow, with the street in the next line. */
function placeAtHabitaclia(title: string, lines: readonly string[]): string[] {
  const [town = "", ...quarter] = placeIn(title.replace(CUT, "")).split(" - ");
  const street = lines[lines.indexOf(title) + 1]?.replace(/^N\/A /, "") ?? "";
  const isStreet =
    !CUT.test(street) &&
    !/[!?]/.test(street) &&
    /^(?:calle|carrer|c\/|avenida|avinguda|plaza|plaça|passeig|paseo|passatge|ronda|travessera|rambla|camino|camí|v[íi]a)\s/i.test(
      street,
    );
  const streetName = street.split(", ").filter((part) => part !== town.trim());
  return partsOf(
    [...(isStreet ? [streetName.join(", ")] : []), ...(CUT.test(title) ? [] : [quarter.join(" - ")]), town],
    false,
  );
}
