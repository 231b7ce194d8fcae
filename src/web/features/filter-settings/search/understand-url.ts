import type { Language } from "#core/languages.ts";
import { type NotASearch, parseSearchUrl, type Repair } from "#core/search/url/parse-search-url.ts";
import { type Chip, type DescribedLimit, describeLimits, describeSearch } from "#text/describe-search.ts";

export type Refusal = Exclude<NotASearch, "empty">;

export interface ReadLink {
  state: "understood";
  /** The link as it is shown and saved. */
  url: string;
  text: string;
  chips: readonly Chip[];
  repairs: readonly Repair[];
  limits: readonly DescribedLimit[];
  /** No source at hand can watch it. */
  isBlocked: boolean;
}

export type Understanding = { state: "empty" } | { state: "refused"; reason: Refusal } | ReadLink;

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
  const { search, canonicalUrl, repairs } = parsed;
  const limits = describeLimits(search, language);
  const needsUrlSource = limits.some(({ isBlocking }) => isBlocking);
  // The portal itself applies the filters then; only what can match nothing still deserves a word.
  const isByUrl = needsUrlSource && canSearchByUrl;
  return {
    state: "understood",
    url: canonicalUrl,
    ...describeSearch(search, language),
    repairs,
    limits: isByUrl ? limits.filter(({ code }) => code === "impossible-range") : limits,
    isBlocked: needsUrlSource && !canSearchByUrl,
  };
}

/** A line may end with a dot between two wishes, but not begin with one. */
export function withNonBreakingDots(words: string): string {
  return words.replaceAll(" · ", "\u00a0· ");
}

/** A search as a hunter would paste it, with something in it to tidy. */
export const EXAMPLE_URL =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,metros-cuadrados-mas-de_40,de-un-dormitorio,de-dos-dormitorios,ascensor/pagina-2.htm";
