/** A search as one sentence a person would say: "Flats to rent in Chamberí, Madrid, up to €1,500, with lift". */
import type { Language } from "#core/languages.ts";
import { nameOfSlug } from "#core/places/known-names.ts";
import { pathLabel, placeLabel } from "#core/places/place-label.ts";
import { REGIONS } from "#core/places/towns.ts";
import type { HomeType, Search, Where } from "#core/search/search.ts";
import { formatList } from "./labels.ts";
import { areasText } from "./phrases/area-forms.ts";
import type { Phrases } from "./phrases/phrases.ts";
import { sentenceDe } from "./phrases/sentence-de.ts";
import { sentenceEn } from "./phrases/sentence-en.ts";
import { sentenceEs } from "./phrases/sentence-es.ts";
import { sentenceFr } from "./phrases/sentence-fr.ts";
import type { SentencePhrases, Wish } from "./phrases/sentence-phrases.ts";
import { sentenceRu } from "./phrases/sentence-ru.ts";

const SENTENCES: Readonly<Record<Language, SentencePhrases>> = {
  en: sentenceEn,
  es: sentenceEs,
  ru: sentenceRu,
  de: sentenceDe,
  fr: sentenceFr,
};

/** The parts of a search that read the same alone and in a sentence. */
export interface PlainParts {
  readonly phrases: Phrases;
  readonly price: string | null;
  readonly area: string | null;
  readonly bedrooms: string | null;
  readonly bathrooms: string | null;
}

export function searchSentence(search: Search, language: Language, parts: PlainParts): string {
  const words = SENTENCES[language];
  const or = (texts: readonly string[]) =>
    texts.length === 0 ? null : formatList(texts, language, "disjunction");
  const isStudio = search.bedrooms.includes(0);
  const rooms = [parts.bedrooms, parts.bathrooms].filter((text) => text !== null);
  const areRoomsHad = words.areRoomsHad && !isStudio;
  const wishes: Wish[] = [
    ...(areRoomsHad ? rooms.map((text) => ({ with: text })) : []),
    ...(search.furnishing ? [words.furnishings[search.furnishing]] : []),
    ...search.features.map((feature) => words.features[feature]),
  ];
  const had = wishes.flatMap((wish) => (typeof wish === "string" ? [] : [wish.with]));
  const energy = or(search.energyClasses.map((one) => words.energyClasses[one]));
  const clauses = [
    `${subjectOf(search, language, parts.phrases)} ${whereClause(search.where, language, parts.phrases)}`,
    parts.price,
    parts.area,
    ...(areRoomsHad ? [] : rooms),
    had.length > 0 ? filled(words.with, formatList(had, language)) : null,
    ...wishes.filter((wish) => typeof wish === "string"),
    or(search.conditions.map((one) => words.conditions[one])),
    or(search.floors.map((one) => words.floors[one])),
    energy && filled(words.energy, energy),
    or(search.saleSituations.map((one) => words.saleSituations[one])),
    or(search.rentalTypes.map((one) => words.rentalTypes[one])),
    or(search.admits.map((one) => words.admits[one])),
    or(search.flatmates.map((one) => words.flatmates[one])),
    search.publishedWithin && words.publishedWithin[search.publishedWithin],
    unknownClause(search.unknownTokens, language, parts.phrases),
  ];
  return capitalised(clauses.filter(Boolean).join(", "));
}

/** "Flats and houses to rent", "Penthouses in new developments for sale", "Business transfers". */
function subjectOf(search: Search, language: Language, phrases: Phrases): string {
  const words = SENTENCES[language];
  const types = [...new Set(search.homeTypes.flatMap((type) => [...plainTypes(type)]))];
  const narrower = [
    ...types.map((type) => phrases.homeTypes[type]),
    ...search.landClasses.map((one) => phrases.landClasses[one]),
  ];
  const noun = narrower.length > 0 ? formatList(narrower, language) : phrases.kinds[search.kind];
  const isNewHomes = types.length > 0 && search.kind === "new-developments";
  const kind = isNewHomes ? filled(words.inNewDevelopments, noun) : noun;
  return search.kind === "transfers" ? kind : filled(words.operations[search.operation], kind);
}

/** The portal's "flats" are three sorts, which must not be named twice. */
function plainTypes(type: HomeType): readonly HomeType[] {
  return type === "flat" ? ["plain-flat", "penthouse", "duplex"] : [type];
}

function whereClause(where: Where, language: Language, phrases: Phrases): string {
  const words = SENTENCES[language];
  switch (where.type) {
    case "place": {
      const { name, level } = placeLabel(where.placeId);
      if (level === "province") return filledName(words.inProvince, name, language);
      return filledName(level === "comarca" ? words.inComarca : words.inPlace, name, language);
    }
    case "unlisted-place":
      return filled(words.inPlace, pathLabel(where.path));
    case "drawn":
      return areasText(where.rings.length, words.inDrawn, language);
    case "zones":
      return areasText(where.codes.length, words.inZones, language);
    case "point-of-interest":
      return pointClause(where.slug, language);
    case "text": {
      const text = filled(words.withText, filled(phrases.quoted, plainText(where.text)));
      return where.path.length > 0 ? `${text} ${filled(words.inPlace, pathLabel(where.path))}` : text;
    }
  }
}

function pointClause(slug: string, language: Language): string {
  const words = SENTENCES[language];
  const code = postCodeOf(slug);
  if (code !== undefined) return filled(words.inPostCode, code);
  const name = nameOfSlug(slug);
  return REGIONS.includes(name) ? filled(words.inComarca, name) : filledName(words.nearPoint, name, language);
}

/** "28002" of codigo-postal-28002, or of the bare number. */
export function postCodeOf(slug: string): string | undefined {
  return /^(?:codigo-postal-|cp-?)?(\d{5})$/.exec(slug)?.[1];
}

/** Free text as it was typed into the portal's box, on one line. */
export function plainText(text: string): string {
  return text.replaceAll("_", " ").replace(/\s+/g, " ").trim();
}

function unknownClause(tokens: readonly string[], language: Language, phrases: Phrases): string | null {
  if (tokens.length === 0) return null;
  const quoted = tokens.map((token) => filled(phrases.unknownWord, token));
  const { unknownWords } = SENTENCES[language];
  const form = (tokens.length === 1 && unknownWords.one) || unknownWords.other;
  return filled(form, formatList(quoted, language));
}

/** French shortens "de" before a vowel: "province d’Alicante". */
export function filledName(phrase: string, name: string, language: Language): string {
  const text = filled(phrase, name);
  return language === "fr" && /^[aeiouáéíóúàèò]/i.test(name)
    ? text.replace(`de ${name}`, () => `d’${name}`)
    : text;
}

function filled(phrase: string, text: string): string {
  return phrase.replaceAll("{a}", () => text);
}

export function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
