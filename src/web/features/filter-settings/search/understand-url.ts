import { doubtfulPlaceOf } from "#core/places/doubtful-place.ts";
import { resolvePlacePath } from "#core/places/places.ts";
import { normaliseSearch } from "#core/search/normalise-search.ts";
import type { Search, Where } from "#core/search/search.ts";
import {
  furtherSearchUrls,
  type NotASearch,
  parseListingUrl,
  parseSearchUrl,
  type Repair,
} from "#core/search/url/parse-search-url.ts";
import { type DescribedLimit, describeLimits, describeSearch, nameSearch } from "#text/describe-search.ts";
import type { Words } from "#text/namespaces.ts";

export type UrlRefusal = Exclude<NotASearch, "empty">;

export interface ReadLink {
  state: "understood";
  url: string;
  text: string;
  repairs: readonly Repair[];
  limits: readonly DescribedLimit[];
  /** No available source can watch it. */
  isBlocked: boolean;
  /** The place can be drawn: an area on the map, or zones of a city whose shapes we have. */
  isDrawable: boolean;
  /** The other searches in what was pasted. */
  others: readonly { name: string; url: string }[];
  /** The known place most similar to an unknown one, and the link with it. */
  nearest: { name: string; url: string } | undefined;
}

export type Understanding =
  | { state: "empty" }
  /** With the code of the listing, if the link leads to one. */
  | { state: "refused"; reason: UrlRefusal; listingId: string | undefined }
  | ReadLink;

interface ReadingOptions {
  words: Words<"search">;
  /** A source that takes the URL of a search is available. */
  canSearchByUrl: boolean;
}

export function understandUrl(pasted: string, { words, canSearchByUrl }: ReadingOptions): Understanding {
  const parsed = parseSearchUrl(pasted);
  if (!parsed.ok) {
    if (parsed.reason === "empty") return { state: "empty" };
    const listingId = parsed.reason === "one-listing" ? parseListingUrl(pasted) : undefined;
    return { state: "refused", reason: parsed.reason, listingId };
  }
  const { search, portalLanguage, canonicalUrl, repairs } = parsed;
  const limits = describeLimits(search, words, canSearchByUrl);
  return {
    state: "understood",
    url: canonicalUrl,
    text: describeSearch(search, words).text,
    repairs,
    limits,
    isBlocked: limits.some(({ isBlocking }) => isBlocking),
    isDrawable: isDrawable(search.where),
    others: furtherSearchUrls(pasted).flatMap((url) => {
      const other = parseSearchUrl(url);
      return other.ok ? [{ name: nameSearch(other.search, words), url }] : [];
    }),
    nearest: nearestOf(search, portalLanguage, words),
  };
}

/** A district or neighbourhood of a city. The whole city is not worth a drawing. */
const DRAWN_PLACE = /^0-EU-ES-(28-07-001-079|08-13-001-019|46-02-002-250)-/;

function isDrawable(where: Where): boolean {
  return where.type === "drawn" || (where.type === "place" && DRAWN_PLACE.test(where.placeId));
}

function nearestOf(
  search: Search,
  portalLanguage: string | null,
  words: Words<"search">,
): ReadLink["nearest"] {
  const path =
    search.where.type === "unlisted-place" ? doubtfulPlaceOf(search.where.path)?.nearestPath : null;
  if (!path) return undefined;
  const resolved = resolvePlacePath(path);
  const where: Where = resolved.ok
    ? { type: "place", placeId: resolved.place.id }
    : { type: "unlisted-place", path };
  const repaired = { ...search, where };
  return {
    name: nameSearch(repaired, words),
    url: normaliseSearch(repaired, portalLanguage).canonicalUrl,
  };
}

/** A typical link, with parts that are normalised. */
export const EXAMPLE_URL =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,metros-cuadrados-mas-de_40,de-un-dormitorio,de-dos-dormitorios,ascensor/pagina-2.htm";
