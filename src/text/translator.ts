/** Texts for programs outside the browser: i18next with the same files as the web. */
import { readFileSync } from "node:fs";
import { createInstance } from "i18next";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { I18N_OPTIONS, MISSING_TEXT_THROWS, NUMBERS_IN_TEXTS } from "./i18n-options.ts";
import type { Namespace, Translate, Values, Words } from "./namespaces.ts";

const NAMESPACES = [
  "account",
  "alert",
  "bot",
  "common",
  "filter",
  "health",
  "home",
  "mail",
  "rules",
  "search",
] as const satisfies readonly Namespace[];

type ServerNamespace = (typeof NAMESPACES)[number];

const i18n = createInstance();
void i18n.use(NUMBERS_IN_TEXTS).init({
  ...I18N_OPTIONS,
  ...MISSING_TEXT_THROWS,
  initAsync: false,
  resources: Object.fromEntries(LANGUAGES.map((language) => [language, textsOf(language)])),
});

export function translatorOf<Name extends ServerNamespace>(
  ...namespaces: Name[]
): (language: Language) => Translate<Name> {
  return (language) => {
    const translate = i18n.getFixedT(language, namespaces) as (key: string, values: Values) => string;
    return (key, values = {}) => translate(key, values);
  };
}

export function wordsOf<Name extends ServerNamespace>(namespace: Name, language: Language): Words<Name> {
  return { language, t: translatorOf(namespace)(language) };
}

function textsOf(language: Language) {
  const read = (namespace: string) =>
    JSON.parse(readFileSync(new URL(`./locales/${language}/${namespace}.json`, import.meta.url), "utf8"));
  return Object.fromEntries(NAMESPACES.map((namespace) => [namespace, read(namespace)]));
}
