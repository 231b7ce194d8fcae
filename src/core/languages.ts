import { sitePath } from "./site-path.ts";

/** The five interface languages, and the path prefix that carries the language. English has none. */
export const LANGUAGES = ["en", "es", "ru", "de", "fr"] as const;

export type Language = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: Language = "en";

export function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text);
}

/** A person may store any code through the data API. */
export function languageOr<Otherwise>(code: unknown, otherwise: Otherwise): Language | Otherwise {
  return typeof code === "string" && isLanguage(code) ? code : otherwise;
}

export function languageOfPath(path: string): Language {
  return prefixOf(sitePath(path)) ?? DEFAULT_LANGUAGE;
}

/** The path without its language prefix; query and fragment stay. Always an address of this site. */
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
