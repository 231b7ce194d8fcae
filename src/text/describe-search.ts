/** A search in plain words, as one sentence or wish by wish, in five languages. */

import type { Language } from "#core/languages.ts";
import { type SearchLimit, toldLimitsOf } from "#core/matching/search-limits.ts";
import { nameOfSlug } from "#core/places/known-names.ts";
import { pathLabel, placeLabel } from "#core/places/place-label.ts";
import type { Search, Where } from "#core/search/search.ts";
import { countOf, formatArea, formatList, formatPrice } from "./labels.ts";
import { areasText } from "./phrases/area-forms.ts";
import { de } from "./phrases/de.ts";
import { en } from "./phrases/en.ts";
import { es } from "./phrases/es.ts";
import { fr } from "./phrases/fr.ts";
import type { Phrases } from "./phrases/phrases.ts";
import { ru } from "./phrases/ru.ts";
import { capitalised, filledName, plainText, postCodeOf, searchSentence } from "./search-sentence.ts";

/** One thing a search asks for. */
export interface Chip {
  readonly part: keyof Search;
  readonly text: string;
}

export interface DescribedSearch {
  readonly text: string;
  readonly chips: readonly Chip[];
}

export interface DescribedLimit extends SearchLimit {
  readonly text: string;
}

const PHRASES: Readonly<Record<Language, Phrases>> = { en, es, ru, de, fr };

export function describeSearch(search: Search, language: Language): DescribedSearch {
  const phrases = PHRASES[language];
  const range = (min: string | null, max: string | null) => rangeText(min, max, phrases);
  const price = (eur: number | null) => (eur === null ? null : formatPrice(eur, language));
  const area = (m2: number | null) => (m2 === null ? null : formatArea(m2, language));
  const alternatives = <Value extends string>(
    values: readonly Value[],
    words: Readonly<Record<Value, string>>,
  ) =>
    listed(
      values.map((value) => words[value]),
      language,
    );
  const parts = {
    phrases,
    price: range(price(search.minPriceEur), price(search.maxPriceEur)),
    area: range(area(search.minAreaM2), area(search.maxAreaM2)),
    bedrooms: bedroomsText(search.bedrooms, language),
    bathrooms: countsText(search.bathrooms, 3, phrases.bathrooms, phrases.bathroomsOrMore, language),
  };
  const chips: [keyof Search, string | null][] = [
    ["operation", search.kind === "transfers" ? null : phrases.operations[search.operation]],
    ["kind", phrases.kinds[search.kind]],
    ["where", whereText(search.where, language)],
    ["maxPriceEur", parts.price],
    ["minAreaM2", parts.area],
    ["bedrooms", parts.bedrooms],
    ["bathrooms", parts.bathrooms],
    ["homeTypes", alternatives(search.homeTypes, phrases.homeTypes)],
    ["landClasses", alternatives(search.landClasses, phrases.landClasses)],
    ["conditions", alternatives(search.conditions, phrases.conditions)],
    ["furnishing", search.furnishing && phrases.furnishings[search.furnishing]],
    ...search.features.map((feature): [keyof Search, string] => ["features", phrases.features[feature]]),
    ["floors", alternatives(search.floors, phrases.floors)],
    ["energyClasses", alternatives(search.energyClasses, phrases.energyClasses)],
    ["saleSituations", alternatives(search.saleSituations, phrases.saleSituations)],
    ["rentalTypes", alternatives(search.rentalTypes, phrases.rentalTypes)],
    ["admits", alternatives(search.admits, phrases.admits)],
    ["flatmates", alternatives(search.flatmates, phrases.flatmates)],
    ["publishedWithin", search.publishedWithin && phrases.publishedWithin[search.publishedWithin]],
    ...search.unknownTokens.map((word): [keyof Search, string] => [
      "unknownTokens",
      fill(phrases.unknownWord, word),
    ]),
  ];
  const said = chips.flatMap(([part, text]) => (text ? [{ part, text }] : []));
  return { chips: said, text: searchSentence(search, language, parts) };
}

/** What a search is called until its person names it: its place. */
export function nameSearch(search: Search, language: Language): string {
  return capitalised(whereText(search.where, language));
}

/** What of the search cannot be honoured, each with a sentence for the person. */
export function describeLimits(search: Search, language: Language, canSearchByUrl = false): DescribedLimit[] {
  return toldLimitsOf(search, canSearchByUrl).map((limit) => ({
    ...limit,
    text: fill(PHRASES[language].limits[limit.code], wishText(limit, search, language)),
  }));
}

/** The wish a limit is about, in the words its chip would use. */
function wishText({ part, value }: SearchLimit, search: Search, language: Language): string {
  if (part === "unknownTokens") return value ?? "";
  const alone = value === undefined ? search : { ...search, [part]: [value] };
  const shownUnder: keyof Search = part === "minPriceEur" ? "maxPriceEur" : part;
  return describeSearch(alone, language).chips.find((chip) => chip.part === shownUnder)?.text ?? "";
}

function whereText(where: Where, language: Language): string {
  const phrases = PHRASES[language];
  switch (where.type) {
    case "place": {
      const { name, level } = placeLabel(where.placeId);
      return level === "province" ? filledName(phrases.province, name, language) : name;
    }
    case "unlisted-place":
      return pathLabel(where.path);
    case "drawn":
      return areasText(where.rings.length, phrases.drawn, language);
    case "zones":
      return areasText(where.codes.length, phrases.zones, language);
    case "point-of-interest": {
      const code = postCodeOf(where.slug);
      return code === undefined ? nameOfSlug(where.slug) : fill(phrases.postCode, code);
    }
    case "text": {
      const text = fill(phrases.quoted, plainText(where.text));
      return where.path.length > 0 ? `${text}, ${pathLabel(where.path)}` : text;
    }
  }
}

function rangeText(min: string | null, max: string | null, phrases: Phrases): string | null {
  if (min !== null && min === max) return min;
  if (min !== null && max !== null) return fill(phrases.between, min, max);
  if (max !== null) return fill(phrases.upTo, max);
  return min === null ? null : fill(phrases.from, min);
}

function bedroomsText(bedrooms: readonly number[], language: Language): string | null {
  const { studio, bedrooms: forms, bedroomsOrMore } = PHRASES[language];
  const counted = countsText(
    bedrooms.filter((count) => count > 0),
    4,
    forms,
    bedroomsOrMore,
    language,
  );
  const texts = [bedrooms.includes(0) ? studio : null, counted].filter((text) => text !== null);
  return listed(texts, language);
}

/** "1 or 2 bedrooms", "2 or more bedrooms", "1 or 3+ bathrooms": the last box means that many or more. */
function countsText(
  counts: readonly number[],
  open: number,
  forms: Phrases["bedrooms"],
  formsOrMore: Phrases["bedrooms"],
  language: Language,
): string | null {
  const [first] = counts;
  const last = counts.at(-1);
  if (first === undefined || last === undefined) return null;
  const isUnbroken = counts.length === last - first + 1;
  if (last === open && isUnbroken) return countOf(first, formsOrMore, language);
  const texts = counts.map((count) => (count === open ? `${count}+` : String(count)));
  return fill(countOf(last, forms, language), listed(texts, language) ?? "");
}

function listed(texts: readonly string[], language: Language): string | null {
  if (texts.length === 0) return null;
  return formatList(texts, language, "disjunction");
}

function fill(phrase: string, a: string, b = ""): string {
  return phrase.replaceAll("{a}", () => a).replaceAll("{b}", () => b);
}
