/** The five interface languages, and the path prefix that carries the language. English has none. */
export const LANGUAGES = ["en", "es", "ru", "de", "fr"] as const;

export type Language = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: Language = "en";

export function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text);
}

export function languageOfPath(path: string): Language {
  return prefixOf(path) ?? DEFAULT_LANGUAGE;
}

/** The path without its language prefix; query and fragment stay. */
export function basePathOf(path: string): string {
  const prefix = prefixOf(path);
  if (prefix === undefined) return path === "" ? "/" : path;
  const rest = path.slice(prefix.length + 1);
  return rest.startsWith("/") ? rest : `/${rest}`;
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
