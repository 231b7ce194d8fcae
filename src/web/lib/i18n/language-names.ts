import type { Language } from "#core/languages.ts";

/** Each language by its own name, so that whoever looks for theirs can read it. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: "English",
  es: "Español",
  ru: "Русский",
  de: "Deutsch",
  fr: "Français",
};
