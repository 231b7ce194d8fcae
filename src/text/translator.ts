/** Texts for programs that are not a browser: one i18next over the same files the web reads. */
import { readFileSync } from "node:fs";
import { createInstance } from "i18next";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { I18N_OPTIONS, MISSING_TEXT_THROWS } from "./i18n-options.ts";
import type account from "./locales/en/account.json";
import type alert from "./locales/en/alert.json";
import type bot from "./locales/en/bot.json";
import type filter from "./locales/en/filter.json";
import type health from "./locales/en/health.json";
import type mail from "./locales/en/mail.json";

interface Namespaces {
  account: typeof account;
  alert: typeof alert;
  bot: typeof bot;
  filter: typeof filter;
  health: typeof health;
  mail: typeof mail;
}

/** As code names a text: the groups it stands in with dots, a plural without its ending. */
type KeyOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string
    ? Key extends `${infer Base}_${"one" | "other"}`
      ? Base
      : Key
    : `${Key}.${KeyOf<Texts[Key]>}`;
}[keyof Texts & string];

type TextKey<Name extends keyof Namespaces> = { [N in Name]: KeyOf<Namespaces[N]> }[Name];

export type Values = Readonly<Record<string, string | number>>;

/** `count` picks the plural form. */
export type Translate<Name extends keyof Namespaces> = (key: TextKey<Name>, values?: Values) => string;

const NAMESPACES = [
  "account",
  "alert",
  "bot",
  "filter",
  "health",
  "mail",
] as const satisfies readonly (keyof Namespaces)[];

const i18n = createInstance();
void i18n.init({
  ...I18N_OPTIONS,
  ...MISSING_TEXT_THROWS,
  initAsync: false,
  resources: Object.fromEntries(LANGUAGES.map((language) => [language, textsOf(language)])),
});

/** The texts of these namespaces, by language. */
export function translatorOf<Name extends keyof Namespaces>(
  ...namespaces: Name[]
): (language: Language) => Translate<Name> {
  return (language) => {
    const translate = i18n.getFixedT(language, namespaces) as (key: string, values: Values) => string;
    return (key, values = {}) => translate(key, values);
  };
}

function textsOf(language: Language) {
  const read = (namespace: string) =>
    JSON.parse(readFileSync(new URL(`./locales/${language}/${namespace}.json`, import.meta.url), "utf8"));
  return Object.fromEntries(NAMESPACES.map((namespace) => [namespace, read(namespace)]));
}
