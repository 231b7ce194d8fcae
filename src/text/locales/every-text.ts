/** For tests: all that a person reads from the locales and the phrase tables, each with where it stands. */
import { readdirSync, readFileSync } from "node:fs";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { MESSAGE_PHRASES } from "../home-phrases/message-phrases.ts";
import { homePhrases } from "../home-phrases/phrases-of.ts";
import { de } from "../phrases/de.ts";
import { en } from "../phrases/en.ts";
import { es } from "../phrases/es.ts";
import { fr } from "../phrases/fr.ts";
import { ru } from "../phrases/ru.ts";
import { sentenceDe } from "../phrases/sentence-de.ts";
import { sentenceEn } from "../phrases/sentence-en.ts";
import { sentenceEs } from "../phrases/sentence-es.ts";
import { sentenceFr } from "../phrases/sentence-fr.ts";
import { sentenceRu } from "../phrases/sentence-ru.ts";

export interface PlacedText {
  readonly language: Language;
  /** "landing hero.lead", "phrases limits.free-text" */
  readonly key: string;
  readonly text: string;
}

const folder = new URL(".", import.meta.url);
const PHRASES = { en, es, ru, de, fr };
const SENTENCES = { en: sentenceEn, es: sentenceEs, ru: sentenceRu, de: sentenceDe, fr: sentenceFr };

export function everyText(): PlacedText[] {
  return LANGUAGES.flatMap((language) =>
    Object.entries(tablesOf(language)).flatMap(([table, texts]) =>
      flattened(texts, "").map(([path, text]) => ({ language, key: `${table} ${path}`, text })),
    ),
  );
}

function tablesOf(language: Language): Record<string, unknown> {
  const files = readdirSync(new URL(`${language}/`, folder)).map((file) => [
    file.replace(".json", ""),
    JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), "utf8")),
  ]);
  return {
    ...Object.fromEntries(files),
    phrases: PHRASES[language],
    sentence: SENTENCES[language],
    home: homePhrases(language),
    message: MESSAGE_PHRASES[language],
  };
}

function flattened(value: unknown, path: string): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => flattened(inner, path ? `${path}.${key}` : key));
}
