import type { Advert, Operation, PropertyType } from "../market/advert.ts";
import { findByPath, SPAIN } from "../market/places.ts";
import { decodeRings, isInside, type Ring } from "./polygon.ts";
import { type UrlFilter, urlFilterOf } from "./url-filters.ts";

export interface UrlSearch {
  readonly operation: Operation;
  readonly propertyType: PropertyType;
  readonly placeId: string;
  /** The area drawn on the map; empty for a named place. */
  readonly rings: readonly Ring[];
  /** The advert must match one filter of each group. */
  readonly groups: readonly (readonly UrlFilter[])[];
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

/** Parses search URLs independently of the product, so that agreement is evidence. */
export function readSearchUrl(text: string): UrlReading {
  const url = URL.parse(text);
  if (url === null || !/(^|\.)idealista\.com$/.test(url.hostname)) {
    return { isRead: false, reason: "not-a-search" };
  }
  const { isDrawn, word, segments } = partsOf(url);
  const category = CATEGORIES[word];
  if (category === undefined) {
    const isSearch = /^(venta|alquiler)-|^traspasos$/.test(word);
    return { isRead: false, reason: isSearch ? "category-without-stock" : "not-a-search" };
  }
  const rings = isDrawn ? decodeRings(url.searchParams.get("shape") ?? "") : [];
  const path = segments.filter((segment) => !/^(con-|pagina-|mapa|municipios)/.test(segment)).join("/");
  const placeId = isDrawn ? SPAIN : findByPath(path)?.id;
  if (placeId === undefined || (isDrawn && rings.length === 0)) {
    return { isRead: false, reason: "place-unknown" };
  }
  const [operation, propertyType, impliedToken] = category;
  const tokens = segments
    .filter((segment) => segment.startsWith("con-"))
    .flatMap((segment) => segment.slice("con-".length).split(","))
    .concat(impliedToken ?? []);
  const filters = tokens.map(urlFilterOf).filter((filter) => filter !== undefined);
  return {
    isRead: true,
    search: {
      operation,
      propertyType,
      placeId,
      rings,
      groups: [...Map.groupBy(filters, (filter) => filter.group).values()],
      unknownTokens: tokens.filter((token) => urlFilterOf(token) === undefined),
      isNewestFirst: url.searchParams.get("ordenado-por") === "fecha-publicacion-desc",
    },
  };
}

function partsOf(url: URL): { isDrawn: boolean; word: string; segments: string[] } {
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  if (LANGUAGES.has(segments[0] ?? "")) {
    segments.shift();
  }
  const isDrawn = segments[0] === "areas" || segments[0] === "point";
  if (isDrawn) {
    segments.shift();
  }
  const [word = "", ...rest] = segments;
  return { isDrawn, word, segments: rest };
}

/** Whether an advert of the right kind and place matches the filters. */
export function fitsSearch(search: UrlSearch, advert: Advert, now: number): boolean {
  const isWhereDrawn = search.rings.length === 0 || search.rings.some((ring) => isInside(ring, advert));
  return isWhereDrawn && search.groups.every((group) => group.some((filter) => filter.fits(advert, now)));
}
