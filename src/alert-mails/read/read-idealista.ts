// Reads Idealista's alerts in any language, by the comments, the paths and the campaign names in the links.
import type { Operation } from "#core/search/search.ts";
import { addressInTitle, isTitle, type Sort, sortOf } from "./advert-title.ts";
import { pricesOf } from "./card-prices.ts";
import { factsInLines } from "./home-facts.ts";
import { campaignOf, isAboutNoSearch, operationIn, savedSearchIn } from "./idealista-links.ts";
import { type Card, cardsOf } from "./mail-cards.ts";
import type { MailEvent, MailReading, Portal, UnreadCard } from "./mail-event.ts";
import type { Piece } from "./mail-pieces.ts";
import { saysAlert, saysDigest } from "./mail-subject.ts";
import { photoUrlOf } from "./mail-url.ts";

export type IdealistaPortal = Extract<Portal, `idealista.${string}`>;

const ADVERT_PATH = /^\/(?:[a-z]{2}\/)?(?:inmueble|immobile|imovel)\/([1-9]\d{0,14})(\/.*)?$/;
const ADVERT_WORD = {
  "idealista.com": "inmueble",
  "idealista.it": "immobile",
  "idealista.pt": "imovel",
} as const;
const START_MARK = /^inicio inmueble/;
const DESCRIPTION_MARK = /^comentario/;
const PHOTO_HOST = /^img\d*\.idealista\.(?:com|it|pt)$/;
const MAX_RENT_EUR = 1e6;
/** A price below this counts as a sale only if the mail says so. */
const MIN_UNSAID_SALE_EUR = 10_000;

export function readIdealista(
  portal: IdealistaPortal,
  pieces: readonly Piece[],
  subject: string,
): MailReading {
  const found = cardsOf(pieces, {
    codeOf: (url) => advertIn(url, portal)?.[1] ?? null,
    // Links to subpages, such as the one to report the advert, have other titles.
    hasTitle: (url) => (advertIn(url, portal)?.[2] ?? "/") === "/",
    startMark: START_MARK,
    endMark: /^(?:fin inmueble|end of ad|end of alert)/,
  });
  if (!found.ok) return { type: "unreadable", portal, why: found.why };
  if (found.cards.length === 0) return withoutAdverts(portal, pieces, subject);
  const cards = found.cards.filter(({ links }) => !isAboutNoSearch(links));
  if (cards.length === 0 || !isAboutSearches(cards, subject)) {
    return { type: "not-an-alert", why: "nothing about a saved search" };
  }
  const { events, unread } = readCards(cards, portal);
  if (events.length === 0) return { type: "unreadable", portal, why: unread[0]?.why ?? "" };
  return { type: cards.length > 1 || saysDigest(subject) ? "digest" : "alert", portal, events, unread };
}

/** An alert without adverts has a layout that we do not know. */
function withoutAdverts(portal: Portal, pieces: readonly Piece[], subject: string): MailReading {
  const isMarked = pieces.some((piece) => piece.type === "mark" && START_MARK.test(piece.text));
  if (isMarked || saysAlert(subject))
    return { type: "unreadable", portal, why: "no advert where one should be" };
  return { type: "not-an-alert", why: "no advert in it" };
}

function readCards(cards: readonly Card[], portal: IdealistaPortal) {
  const events: MailEvent[] = [];
  const unread: UnreadCard[] = [];
  // The link to the search follows the adverts that it found.
  let searchUrl: string | null = null;
  for (const card of cards.toReversed()) {
    searchUrl = savedSearchIn(card.nextLinks.concat(card.links), portal) ?? searchUrl;
    const event = readCard(card, portal, searchUrl);
    if (typeof event === "string") unread.unshift({ code: card.code, why: event });
    else events.unshift(event);
  }
  return { events, unread };
}

function advertIn({ hostname, pathname }: URL, portal: IdealistaPortal): RegExpExecArray | null {
  const isPortal = hostname === portal || hostname === `www.${portal}` || hostname === `m.${portal}`;
  return isPortal ? ADVERT_PATH.exec(pathname) : null;
}

/** Adverts outside an alert campaign count only if the subject says that this is an alert. */
function isAboutSearches(cards: readonly Card[], subject: string): boolean {
  const links = cards.flatMap((card) => [...card.links, ...card.nextLinks]);
  const hasAlertLink = links.some(
    ({ searchParams }) =>
      searchParams.get("utm_source") === "alerts-id" || /^listado/i.test(searchParams.get("utm_link") ?? ""),
  );
  const isCampaign = links.some(({ searchParams }) => searchParams.has("utm_campaign"));
  return (
    hasAlertLink || !isCampaign || saysAlert(subject) || cards.some((card) => campaignOf(card.links) !== null)
  );
}

/** Returns the event, or why it could not be read reliably. */
function readCard(card: Card, portal: IdealistaPortal, searchUrl: string | null): MailEvent | string {
  const campaign = campaignOf(card.links);
  if (campaign === "contradictory") return "an advert that is said to be two things";
  const own = card.lines.filter(({ mark }) => !DESCRIPTION_MARK.test(mark ?? ""));
  const prices = pricesOf(own, { mayBeCut: campaign?.event === "cheaper" && !card.isJoined });
  if (!prices.ok) return prices.why;
  const { priceEur, formerPriceEur, isMonthly } = prices;
  const operation = operationOf({ said: campaign?.operation ?? operationIn(searchUrl), isMonthly, priceEur });
  if (operation === null) return "neither for rent nor for sale, or both";
  if (operation === "rent" && priceEur > MAX_RENT_EUR) return "an impossible price";
  const lines = own.map(({ text }) => text);
  const title = titleOf(card);
  return {
    event: (campaign ? campaign.event === "cheaper" : formerPriceEur !== null) ? "cheaper" : "new",
    portal,
    code: card.code,
    listingId: portal === "idealista.com" ? card.code : `${portal}:${card.code}`,
    url: `https://www.${portal}/${ADVERT_WORD[portal]}/${card.code}/`,
    operation,
    ...sortIn(title, searchUrl),
    isPrivate: campaign?.isPrivate ?? (hasLink(card, "inmuebleNoParticular") ? true : null),
    isAuction:
      hasLink(card, "excludeAuctionLink") ||
      lines.some((line) => /^(?:subasta|auction|asta|leilão)$/i.test(line)),
    title,
    address: addressInTitle(title),
    priceEur,
    formerPriceEur,
    ...factsInLines(
      lines.filter((line) => line !== title),
      title === null ? [] : [title],
    ),
    photoUrl: photoOf(card.images),
    photoCount: photoCountOf(lines),
    description: descriptionOf(card, title),
    searchUrl,
  };
}

function operationOf(facts: {
  said: Operation | null;
  isMonthly: boolean;
  priceEur: number;
}): Operation | null {
  const { said, isMonthly, priceEur } = facts;
  if (isMonthly) return said === "sale" ? null : "rent";
  return said ?? (priceEur >= MIN_UNSAID_SALE_EUR ? "sale" : null);
}

function hasLink({ links, nextLinks }: Card, name: string): boolean {
  return [...links, ...nextLinks].some((url) => url.searchParams.get("utm_link") === name);
}

function titleOf({ titles, lines }: Card): string | null {
  const isAtPlace = (text: string) =>
    /\s(?:en|in|em|na|no|nas|nos|at|a)\s/i.test(text) || text.includes(", ");
  const written = titles.filter((title) => title.length <= 300 && isAtPlace(title));
  const known = written.filter(isTitle);
  const [longest] = (known.length > 0 ? known : written).toSorted((a, b) => b.length - a.length);
  if (longest !== undefined) return longest;
  const places = lines.filter(({ text }) => text.length <= 200 && !text.includes("€") && isAtPlace(text));
  // The type of home may be unknown, so accept the text of the link to the advert.
  const named = places.find(({ text }) => isTitle(text)) ?? places.find(({ isLinked }) => isLinked);
  return named?.text ?? null;
}

/** From the title, else from the search. */
function sortIn(title: string | null, searchUrl: string | null): Sort {
  const sort = sortOf(title);
  if (sort.typology !== null || searchUrl === null) return sort;
  const word = /-(habitacion|garajes|oficinas|locales|terrenos|trasteros|edificios|stanze|quartos)\//.exec(
    searchUrl,
  );
  return word ? sortOf(SEARCH_WORDS[word[1] ?? ""] ?? null) : sort;
}

const SEARCH_WORDS: Readonly<Record<string, string>> = {
  habitacion: "habitación",
  stanze: "stanza",
  quartos: "quarto",
  garajes: "garaje",
  oficinas: "oficina",
  locales: "local",
  terrenos: "terreno",
  trasteros: "trastero",
  edificios: "edificio",
};

function photoOf(images: readonly string[]): string | null {
  const photos = images.flatMap((src) => photoUrlOf(src, PHOTO_HOST, /./) ?? []);
  return photos.find((url) => url.includes("image.master")) ?? photos[0] ?? null;
}

function photoCountOf(lines: readonly string[]): number | null {
  const count = lines
    .map(
      (line) =>
        /^(?:ver|see|vedi|guarda|veja|view)\D{0,12}(\d{1,3})\s*(?:foto|photo)/i.exec(line.slice(0, 60))?.[1],
    )
    .find((value) => value !== undefined);
  return count === undefined ? null : Number(count);
}

/** The text that the portal marks as description; without marks, the longest line. */
function descriptionOf({ lines }: Card, title: string | null): string | null {
  const marked = lines.filter(({ mark }) => DESCRIPTION_MARK.test(mark ?? ""));
  const words = (marked.length > 0 ? marked : lines.filter(({ isLinked }) => !isLinked))
    .map(({ text }) => text)
    .filter((text) => text !== title && isOwnWords(text, marked.length > 0 ? 1 : 60));
  return words.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** A line with a mail address is not part of the advert. */
function isOwnWords(text: string, minLength: number): boolean {
  return (
    text.length >= minLength &&
    !/^(?:el precio|the price|il prezzo|o preço)\b/i.test(text) &&
    !/[^\s@]@[^\s@]/.test(text)
  );
}
