import { sitePath } from "./site-path.ts";

interface LanguageTraits {
  /** In the language itself, so that its readers recognise it. */
  readonly name: string;
  readonly openGraphLocale: string;
  /** For dates and lists. British English puts the day before the month and has no comma before the last "and". */
  readonly dateLocale: string;
  readonly squareMetre: string;
  /** Added to Spanish floor numbers: in Russian the ground floor is the first. */
  readonly floorOffset: number;
}

/** The interface languages. Each is also the path prefix of its pages; English has none. */
export const LANGUAGE_TRAITS = {
  en: { name: "English", openGraphLocale: "en_GB", dateLocale: "en-GB", squareMetre: "m²", floorOffset: 0 },
  es: { name: "Español", openGraphLocale: "es_ES", dateLocale: "es", squareMetre: "m²", floorOffset: 0 },
  ru: { name: "Русский", openGraphLocale: "ru_RU", dateLocale: "ru", squareMetre: "м²", floorOffset: 1 },
  de: { name: "Deutsch", openGraphLocale: "de_DE", dateLocale: "de", squareMetre: "m²", floorOffset: 0 },
  fr: { name: "Français", openGraphLocale: "fr_FR", dateLocale: "fr", squareMetre: "m²", floorOffset: 0 },
} as const satisfies Readonly<Record<string, LanguageTraits>>;

export type Language = keyof typeof LANGUAGE_TRAITS;

export const LANGUAGES = Object.keys(LANGUAGE_TRAITS) as readonly Language[];

export const DEFAULT_LANGUAGE: Language = "en";

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGE_TRAITS, text);
}

/** The data API lets a person store any code. */
export function languageOr<Otherwise>(code: unknown, otherwise: Otherwise): Language | Otherwise {
  return typeof code === "string" && isLanguage(code) ? code : otherwise;
}

export function languageOfPath(path: string): Language {
  return prefixOf(sitePath(path)) ?? DEFAULT_LANGUAGE;
}

/** The path without its language prefix; query and fragment stay. Always a path of this site. */
export function basePathOf(path: string): string {
  const whole = sitePath(path);
  const prefix = prefixOf(whole);
  return prefix === undefined ? whole : sitePath(whole.slice(prefix.length + 1));
}

/** The same page in another language, whatever language the given path is in. */
export function localizedPath(path: string, language: Language): string {
  const base = basePathOf(path);
  if (language === DEFAULT_LANGUAGE) return base;
  const rest = /^\/(?=$|[?#])/.test(base) ? base.slice(1) : base;
  return `/${language}${rest}`;
}

function prefixOf(path: string): Language | undefined {
  const first = /^\/([^/?#]*)/.exec(path)?.[1] ?? "";
  return isLanguage(first) && first !== DEFAULT_LANGUAGE ? first : undefined;
}
