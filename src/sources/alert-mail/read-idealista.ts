// Idealista's alerts, in every language by what does not depend on it: the marks in the comments, the paths and the
// campaign names in its links.
import { addressOf, factsInLines, pricesOf, sortOf } from "./card-facts.ts";
import { type Card, cardsOf } from "./mail-cards.ts";
import type { MailEvent, MailReading, Portal, UnreadCard } from "./mail-event.ts";
import type { Piece } from "./mail-pieces.ts";

export type IdealistaPortal = Extract<Portal, `idealista.${string}`>;

const ADVERT_PATH = /^\/(?:[a-z]{2}\/)?(?:inmueble|immobile|imovel)\/(\d{1,15})\/?$/;
const ADVERT_WORD = {
  "idealista.com": "inmueble",
  "idealista.it": "immobile",
  "idealista.pt": "imovel",
} as const;
const CAMPAIGN = /^express_(newAd|priceDrop)_(sale|rent)_(professional|particular)$/i;
const SEARCH_PATH =
  /^\/(?:[a-z]{2}\/)?(?:areas|multi|buscar|point|geo|(?:venta|alquiler|obranueva|vendita|affitto|comprar|arrendar|aree|ricerca)[-/])/;
const NOT_ABOUT_A_SEARCH = /recom(?:end|mend)|consigliat|fvp/i;
const PHOTO_HOST = /^img\d*\.idealista\.(?:com|it|pt)$/;

export function readIdealista(
  portal: IdealistaPortal,
  pieces: readonly Piece[],
  subject: string,
): MailReading {
  if (NOT_ABOUT_A_SEARCH.test(subject)) return { type: "not-an-alert", why: "a recommendation" };
  const found = cardsOf(pieces, {
    codeOf: (url) => codeOf(url, portal),
    startMark: /^inicio inmueble/,
    endMark: /^(?:fin inmueble|end of ad|end of alert)/,
  });
  if (!found.ok) return { type: "unreadable", portal, why: found.why };
  if (found.cards.length === 0) return { type: "not-an-alert", why: "no advert in it" };
  const isDigest = found.cards.every(({ links }) => campaignOf(links) === null);
  const events: MailEvent[] = [];
  const unread: UnreadCard[] = [];
  for (const card of found.cards) {
    const event = readCard(card, portal);
    if (typeof event === "string") unread.push({ code: card.code, why: event });
    else if (event) events.push(event);
  }
  if (events.length === 0 && unread.length === 0)
    return { type: "not-an-alert", why: "nothing about a saved search" };
  if (events.length === 0) return { type: "unreadable", portal, why: unread[0]?.why ?? "" };
  return { type: isDigest || found.cards.length > 1 ? "digest" : "alert", portal, events, unread };
}

function codeOf(url: URL, portal: IdealistaPortal): string | null {
  if (url.hostname !== `www.${portal}` && url.hostname !== portal) return null;
  return ADVERT_PATH.exec(url.pathname)?.[1] ?? null;
}

/** The event, why it cannot be relied on, or nothing where it is about no saved search. */
function readCard(card: Card, portal: IdealistaPortal): MailEvent | string | undefined {
  const campaigns = card.links.map((url) => url.searchParams.get("utm_campaign") ?? "");
  if (campaigns.some((campaign) => NOT_ABOUT_A_SEARCH.test(campaign))) return undefined;
  const campaign = campaignOf(card.links);
  if (campaign === "contradictory") return "an advert that is said to be two things";
  const prices = pricesOf(card.lines);
  if (!prices.ok) return prices.why;
  const lines = card.lines.map(({ text }) => text);
  const title = titleOf(card);
  const isMonthly = card.lines.some(({ text }) => /€\s*\/\s*m(?:es|ese|ês|onth|ois|onat)/i.test(text));
  if (campaign?.operation === "sale" && isMonthly) return "a rent in an advert for sale";
  const isCheaper = campaign ? campaign.event === "cheaper" : prices.formerPriceEur !== null;
  return {
    event: isCheaper ? "cheaper" : "new",
    portal,
    code: card.code,
    listingId: portal === "idealista.com" ? card.code : `${portal}:${card.code}`,
    url: `https://www.${portal}/${ADVERT_WORD[portal]}/${card.code}/`,
    operation: campaign?.operation ?? (isMonthly ? "rent" : "sale"),
    ...sortOf(title),
    isPrivate: campaign?.isPrivate ?? null,
    isAuction: card.links
      .concat(card.nextLinks)
      .some((url) => url.searchParams.get("utm_link") === "excludeAuctionLink"),
    title,
    address: addressOf(title),
    priceEur: prices.priceEur,
    formerPriceEur: prices.formerPriceEur,
    ...factsInLines(lines.filter((line) => line !== title)),
    photoUrl: photoOf(card.images),
    photoCount: photoCountOf(lines),
    description: descriptionOf(lines, title),
    searchUrl: searchUrlOf(card.nextLinks.concat(card.links), portal),
  };
}

interface Campaign {
  readonly event: MailEvent["event"];
  readonly operation: MailEvent["operation"];
  readonly isPrivate: boolean;
}

function campaignOf(links: readonly URL[]): Campaign | "contradictory" | null {
  const names = new Set(
    links.map((url) => url.searchParams.get("utm_campaign") ?? "").filter((name) => CAMPAIGN.test(name)),
  );
  if (names.size > 1) return "contradictory";
  const [name] = names;
  const match = CAMPAIGN.exec(name ?? "");
  if (!match) return null;
  const [, event = "", operation = "", advertiser = ""] = match.map((part) => part.toLowerCase());
  return {
    event: event === "newad" ? "new" : "cheaper",
    operation: operation === "rent" ? "rent" : "sale",
    isPrivate: advertiser === "particular",
  };
}

/** `inmuebleNoParticular` carries a title that is not the advert's. */
function titleOf({ titles, lines }: Card): string | null {
  const longest = titles
    .filter((title) => /\s(?:en|in|em|na|no|at)\s/i.test(title))
    .sort((a, b) => b.length - a.length)[0];
  if (longest !== undefined) return longest;
  const line = lines.find(
    ({ text }) =>
      text.length <= 160 &&
      sortOf(text).typology !== null &&
      /\s(?:en|in|em|na|no|at)\s/i.test(text) &&
      !text.includes("€"),
  );
  return line?.text ?? null;
}

function photoOf(images: readonly string[]): string | null {
  for (const src of images) {
    const url = URL.parse(src);
    if (url?.protocol === "https:" && PHOTO_HOST.test(url.hostname)) return `${url.origin}${url.pathname}`;
  }
  return null;
}

function photoCountOf(lines: readonly string[]): number | null {
  const count = lines
    .map(
      (line) => /^(?:ver|see|vedi|guarda|veja)\D{0,12}(\d{1,3})\s*(?:fotos?|photos?|foto)/i.exec(line)?.[1],
    )
    .find((value) => value !== undefined);
  return count === undefined ? null : Number(count);
}

function descriptionOf(lines: readonly string[], title: string | null): string | null {
  const words = lines.filter(
    (line) => line !== title && line.length > 60 && !/^(?:el precio|the price|il prezzo|o preço)/i.test(line),
  );
  return words.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** The address of the saved search, with its filters and its drawn area and nothing else. */
function searchUrlOf(links: readonly URL[], portal: IdealistaPortal): string | null {
  const isSearch = (url: URL) => url.hostname === `www.${portal}` && SEARCH_PATH.test(url.pathname);
  const link =
    links.find((url) => isSearch(url) && /^listado/i.test(url.searchParams.get("utm_link") ?? "")) ??
    links.find(isSearch);
  if (!link) return null;
  const kept = new URL(link.pathname, `https://www.${portal}`);
  for (const [name, value] of link.searchParams) {
    if (name === "shape" || name === "ordenado-por") kept.searchParams.append(name, value);
  }
  return kept.href;
}
