import type { Advert, Operation, PropertyType } from "../market/advert.ts";
import type { Geography } from "../market/geography.ts";
import { decodeRings, isInside, type Ring } from "./polygon.ts";
import { type Wish, wishOf } from "./wishes.ts";

export interface UrlSearch {
  readonly operation: Operation;
  readonly propertyType: PropertyType;
  readonly placeId: string | null;
  readonly rings: readonly Ring[];
  readonly wishes: readonly Wish[];
  readonly unknownTokens: readonly string[];
  readonly isNewestFirst: boolean;
}

type UrlReading =
  | { readonly isRead: true; readonly search: UrlSearch }
  | { readonly isRead: false; readonly reason: "not-a-search" | "place-unknown" | "category-without-stock" };

const LANGUAGES = new Set("es en de fr it pt nl ca da fi no pl ro ru sv el uk zh".split(" "));
const CATEGORIES: Readonly<Record<string, readonly [Operation, PropertyType, string?]>> = {
  "venta-viviendas": ["sale", "homes"],
  "alquiler-viviendas": ["rent", "homes"],
  "alquiler-habitacion": ["rent", "bedrooms"],
  "venta-oficinas": ["sale", "offices"],
  "alquiler-oficinas": ["rent", "offices"],
  "venta-locales": ["sale", "premises"],
  "alquiler-locales": ["rent", "premises"],
  "venta-garajes": ["sale", "garages"],
  "alquiler-garajes": ["rent", "garages"],
  "venta-obranueva": ["sale", "homes", "obra-nueva"],
};

/** The simulator's own reading of the site's search URLs, kept apart from the product's on purpose. */
export function readSearchUrl(text: string, geography: Geography): UrlReading {
  const url = URL.parse(text);
  if (url === null || !/(^|\.)idealista\.com$/.test(url.hostname)) {
    return { isRead: false, reason: "not-a-search" };
  }
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  if (LANGUAGES.has(segments[0] ?? "")) {
    segments.shift();
  }
  const isDrawn = segments[0] === "areas" || segments[0] === "point";
  if (isDrawn) {
    segments.shift();
  }
  const word = segments.shift() ?? "";
  const category = CATEGORIES[word];
  if (category === undefined) {
    const isSearch = /^(venta|alquiler)-|^traspasos$/.test(word);
    return { isRead: false, reason: isSearch ? "category-without-stock" : "not-a-search" };
  }
  const place = isDrawn ? drawnPlace(url) : namedPlace(segments, geography);
  if (place === undefined) {
    return { isRead: false, reason: "place-unknown" };
  }
  const [operation, propertyType, impliedToken] = category;
  const tokens = segments
    .filter((segment) => segment.startsWith("con-"))
    .flatMap((segment) => segment.slice("con-".length).split(","));
  const words = [...tokens, ...(impliedToken === undefined ? [] : [impliedToken])];
  return {
    isRead: true,
    search: {
      operation,
      propertyType,
      ...place,
      wishes: words.map(wishOf).filter((wish) => wish !== undefined),
      unknownTokens: words.filter((token) => wishOf(token) === undefined),
      isNewestFirst: url.searchParams.get("ordenado-por") === "fecha-publicacion-desc",
    },
  };
}

export function fitsSearch(search: UrlSearch, advert: Advert, now: number): boolean {
  return search.rings.length === 0 || isInside(search.rings, advert)
    ? groupsOf(search).every((group) => group.some((wish) => wish.fits(advert, now)))
    : false;
}

/** The wishes by group: one of each group must hold. */
export function groupsOf(search: UrlSearch): Wish[][] {
  return [...Map.groupBy(search.wishes, (wish) => wish.group).values()];
}

function drawnPlace(url: URL): Pick<UrlSearch, "placeId" | "rings"> | undefined {
  const rings = decodeRings(url.searchParams.get("shape") ?? "");
  return rings.length === 0 ? undefined : { placeId: null, rings };
}

function namedPlace(
  segments: readonly string[],
  geography: Geography,
): Pick<UrlSearch, "placeId" | "rings"> | undefined {
  const path = segments.filter((segment) => !/^(con-|pagina-|mapa|municipios)/.test(segment)).join("/");
  const place = geography.findPath(path);
  return place === undefined ? undefined : { placeId: place.id, rings: [] };
}
