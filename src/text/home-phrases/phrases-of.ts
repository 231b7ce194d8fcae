import type { Language } from "#core/languages.ts";
import { homeDe } from "./home-de.ts";
import { homeEn } from "./home-en.ts";
import { homeEs } from "./home-es.ts";
import { homeFr } from "./home-fr.ts";
import type { HomePhrases } from "./home-phrases.ts";
import { homeRu } from "./home-ru.ts";

const PHRASES: Readonly<Record<Language, HomePhrases>> = {
  en: homeEn,
  es: homeEs,
  ru: homeRu,
  de: homeDe,
  fr: homeFr,
};

export function homePhrases(language: Language): HomePhrases {
  return PHRASES[language];
}

/** {a} and {b} filled in, whatever these hold themselves. */
export function filled(phrase: string, a: string, b = ""): string {
  return phrase.replace(/\{[ab]\}/g, (slot) => (slot === "{a}" ? a : b));
}
