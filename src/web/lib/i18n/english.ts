import type { i18n as I18n, Resource } from "i18next";
import type { Namespace, Namespaces } from "./namespaces.ts";

const english: Partial<Record<Namespace, Namespaces[Namespace]>> = {};
let listener: I18n | undefined;

/**
 * English is part of the script that shows it, so whatever happens to a translation file there are words to
 * fall back to. A module that shows a namespace registers it.
 */
export function registerEnglish<S extends Namespace>(namespace: S, texts: Namespaces[S]): void {
  english[namespace] = texts;
  listener?.addResourceBundle("en", namespace, texts);
}

export function englishResources(): Resource {
  return { en: { ...english } };
}

export function keepEnglishIn(i18n: I18n): void {
  listener = i18n;
}
