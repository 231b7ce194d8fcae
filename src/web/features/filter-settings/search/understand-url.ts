import type { Language } from "#core/languages.ts";
import { doubtfulPlaceOf } from "#core/places/doubtful-place.ts";
import { resolvePlacePath } from "#core/places/places.ts";
import { normaliseSearch } from "#core/search/normalise-search.ts";
import type { Search, Where } from "#core/search/search.ts";
import { type NotASearch, parseSearchUrl, type Repair } from "#core/search/url/parse-search-url.ts";
import { type DescribedLimit, describeLimits, describeSearch, nameSearch } from "#text/describe-search.ts";

export type UrlRefusal = Exclude<NotASearch, "empty">;

export interface ReadLink {
  state: "understood";
  /** The link as it is shown and saved. */
  url: string;
  /** What it asks for, as one sentence. */
  text: string;
  repairs: readonly Repair[];
  limits: readonly DescribedLimit[];
  /** No source at hand can watch it. */
  isBlocked: boolean;
  /** Its place can be drawn: an area of the map, or zones of a city whose shapes we have. */
  isDrawable: boolean;
  /** The known place that an unknown one is most likely meant to be, and the link with it instead. */
  nearest: { name: string; url: string } | undefined;
}

export type Understanding = { state: "empty" } | { state: "refused"; reason: UrlRefusal } | ReadLink;

interface Circumstances {
  language: Language;
  /** A source is at hand that takes the search's URL as it is. */
  canSearchByUrl: boolean;
}

/** What Sereno makes of a pasted text, in words. */
export function understandUrl(pasted: string, { language, canSearchByUrl }: Circumstances): Understanding {
  const parsed = parseSearchUrl(pasted);
  if (!parsed.ok) {
    return parsed.reason === "empty" ? { state: "empty" } : { state: "refused", reason: parsed.reason };
  }
  const { search, portalLanguage, canonicalUrl, repairs } = parsed;
  const limits = describeLimits(search, language, canSearchByUrl);
  return {
    state: "understood",
    url: canonicalUrl,
    text: describeSearch(search, language).text,
    repairs,
    limits,
    isBlocked: limits.some(({ isBlocking }) => isBlocking),
    isDrawable: isDrawable(search.where),
    nearest: nearestOf(search, portalLanguage, language),
  };
}

/** The district or barrio of a city; the whole of one would be no news. */
const DRAWN_PLACE = /^0-EU-ES-(28-07-001-079|08-13-001-019|46-02-002-250)-/;

function isDrawable(where: Where): boolean {
  return where.type === "drawn" || (where.type === "place" && DRAWN_PLACE.test(where.placeId));
}

function nearestOf(search: Search, portalLanguage: string | null, language: Language): ReadLink["nearest"] {
  const path =
    search.where.type === "unlisted-place" ? doubtfulPlaceOf(search.where.path)?.nearestPath : null;
  if (!path) return undefined;
  const resolved = resolvePlacePath(path);
  const where: Where = resolved.ok
    ? { type: "place", placeId: resolved.place.id }
    : { type: "unlisted-place", path };
  const repaired = { ...search, where };
  return {
    name: nameSearch(repaired, language),
    url: normaliseSearch(repaired, portalLanguage).canonicalUrl,
  };
}

/** A search as a hunter would paste it, with something in it to tidy. */
export const EXAMPLE_URL =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,metros-cuadrados-mas-de_40,de-un-dormitorio,de-dos-dormitorios,ascensor/pagina-2.htm";
