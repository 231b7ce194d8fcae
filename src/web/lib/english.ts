import type { i18n as I18n, Resource } from "i18next";
import type { Surface, Surfaces } from "./surfaces.ts";

const english: Partial<Record<Surface, Surfaces[Surface]>> = {};
let listener: I18n | undefined;

/**
 * English is part of the script that shows it, so whatever happens to a translation file there are words to
 * fall back to. A module that shows a surface registers it.
 */
export function registerEnglish<S extends Surface>(surface: S, texts: Surfaces[S]): void {
  english[surface] = texts;
  listener?.addResourceBundle("en", surface, texts);
}

export function englishResources(): Resource {
  return { en: { ...english } };
}

export function keepEnglishIn(i18n: I18n): void {
  listener = i18n;
}
