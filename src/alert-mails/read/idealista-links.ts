// Reads what Idealista's links say about an advert and its search, in any language. Drops what identifies the recipient.
import type { Operation } from "#core/search/search.ts";
import type { MailEvent } from "./mail-event.ts";

const CAMPAIGN = /^express_(newAd|priceDrop)_(sale|rent)_(professional|particular)$/i;
const NO_SEARCH = /recom(?:end|mend)|favou?rit|\bfvp\b|similar/i;
const SEARCH_PATH =
  /^\/(?:[a-z]{2}\/)?(?:(?:areas|multi|point|geo|aree|buscar|ricerca)\/|(?:venta|alquiler|traspaso|obranueva|vendita|affitto|comprar|arrendar)[a-z-]*\/)/;

export interface Campaign {
  readonly event: MailEvent["event"];
  readonly operation: Operation;
  readonly isPrivate: boolean;
}

export function campaignOf(links: readonly URL[]): Campaign | "contradictory" | null {
  const names = new Set(
    links
      .map((url) => (url.searchParams.get("utm_campaign") ?? "").toLowerCase())
      .filter((name) => CAMPAIGN.test(name)),
  );
  if (names.size > 1) return "contradictory";
  const [name = ""] = names;
  const match = CAMPAIGN.exec(name);
  if (!match) return null;
  return {
    event: match[1] === "newad" ? "new" : "cheaper",
    operation: match[2] === "rent" ? "rent" : "sale",
    isPrivate: match[3] === "particular",
  };
}

/** Luxury promotions, recommendations and the like. */
export function isAboutNoSearch(links: readonly URL[]): boolean {
  return links.some((url) => NO_SEARCH.test(url.searchParams.get("utm_campaign") ?? ""));
}

/** The URL of the saved search, with only its filters and its drawn area. */
export function savedSearchIn(links: readonly URL[], portal: string): string | null {
  const isSearch = (url: URL) =>
    (url.hostname === `www.${portal}` || url.hostname === portal) && SEARCH_PATH.test(url.pathname);
  const isNamed = (url: URL) => /^listado/i.test(url.searchParams.get("utm_link") ?? "");
  const isOther = (url: URL) => url.searchParams.get("utm_link") === "excludeAuctionLink";
  const link =
    links.find((url) => isSearch(url) && isNamed(url)) ?? links.find((url) => isSearch(url) && !isOther(url));
  if (!link) return null;
  const kept = new URL(link.pathname, `https://www.${portal}`);
  for (const [name, value] of link.searchParams) {
    if (name === "shape" || name === "ordenado-por") kept.searchParams.append(name, value);
  }
  return kept.href.length <= MAX_URL_LENGTH ? kept.href : null;
}

const MAX_URL_LENGTH = 8_000;

/** Whether a search's URL is for sale or rent. */
export function operationIn(searchUrl: string | null): Operation | null {
  if (searchUrl === null) return null;
  const { pathname } = new URL(searchUrl);
  if (/\/(?:alquiler|affitto|arrendar)[a-z-]*\//.test(pathname)) return "rent";
  return /\/(?:venta|vendita|comprar|obranueva)[a-z-]*\//.test(pathname) ? "sale" : null;
}
