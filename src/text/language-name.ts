import type { Language } from "#core/languages.ts";

/** "немецкий", "allemand": the name of a language within a sentence of another. */
export function languageName(named: Language, language: Language): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(named) ?? named;
}
