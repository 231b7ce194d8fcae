import { shapeOf } from "../geo/drawn-shape.ts";
import { findPlace } from "../places/places.ts";
import type { Search, Where } from "./search.ts";
import {
  CATEGORIES,
  FILTER_PREFIX,
  LIMIT_WORDS,
  NEWEST_FIRST_QUERY,
  PORTAL_HOST,
  WORD_GROUPS,
} from "./url/portal-words.ts";

export interface NormalisedSearch {
  /** The link to show and store: https, www, canonical order, newest first, in the given language of the portal. */
  readonly canonicalUrl: string;
  /** The same link without a language: equal searches have equal keys. */
  readonly searchKey: string;
}

export function normaliseSearch(search: Search, portalLanguage: string | null = null): NormalisedSearch {
  const path = `/${pathOf(search).join("/")}/${queryOf(search.where)}`;
  const site = `https://${PORTAL_HOST}`;
  const searchKey = site + path;
  return {
    searchKey,
    canonicalUrl: portalLanguage === null ? searchKey : `${site}/${portalLanguage}${path}`,
  };
}

function pathOf(search: Search): string[] {
  const category = CATEGORIES.find(
    ([, operation, kind]) => operation === search.operation && kind === search.kind,
  )?.[0];
  // Not reachable from a parsed URL: the portal rents out rooms but does not sell them.
  if (!category) throw new RangeError(`The portal has no ${search.operation} of ${search.kind}`);
  const words = wordsOf(search);
  const filters = words.length > 0 ? [FILTER_PREFIX + words.join(",")] : [];
  const { where } = search;
  switch (where.type) {
    case "place":
      return [category, ...(findPlace(where.placeId)?.path ?? []), ...filters];
    case "unlisted-place":
      return [category, ...where.path, ...filters];
    case "drawn":
      return ["areas", category, ...filters];
    case "zones":
      return ["multi", category, where.codes.join(","), ...filters];
    case "point-of-interest":
      return ["geo", category, where.slug, ...filters];
    case "text":
      return ["buscar", category, ...filters, ...where.path, encodeText(where.text)];
  }
}

function wordsOf(search: Search): string[] {
  const words: string[] = [];
  for (const [word, field] of LIMIT_WORDS) {
    if (search[field] !== null) words.push(`${word}_${search[field]}`);
  }
  for (const group of WORD_GROUPS) {
    if (!group.kinds.includes(search.kind)) continue;
    const wanted: unknown = search[group.field];
    group.values.forEach((value, index) => {
      const isWanted = Array.isArray(wanted) ? wanted.includes(value) : wanted === value;
      if (isWanted) words.push(group.words[index] ?? "");
    });
  }
  return [...words, ...search.unknownTokens];
}

function queryOf(where: Where): string {
  if (where.type !== "drawn") return `?${NEWEST_FIRST_QUERY}`;
  return `?shape=${encodeShape(shapeOf(where.rings))}&${NEWEST_FIRST_QUERY}`;
}

function encodeShape(shape: string): string {
  return encodeURIComponent(shape).replace(/[()~]/g, hexOf);
}

/** The portal does not escape commas in free text. */
function encodeText(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("%2C", ",")
    .replace(/[()!'*]/g, hexOf);
}

function hexOf(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
