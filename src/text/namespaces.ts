/** A namespace is one JSON file per language, with the texts of one part of the product. Keys are typed by the English file. */
import type { Language } from "#core/languages.ts";
import type account from "./locales/en/account.json";
import type alert from "./locales/en/alert.json";
import type alertMails from "./locales/en/alert-mails.json";
import type auth from "./locales/en/auth.json";
import type bot from "./locales/en/bot.json";
import type common from "./locales/en/common.json";
import type filter from "./locales/en/filter.json";
import type finds from "./locales/en/finds.json";
import type findsSettings from "./locales/en/finds-settings.json";
import type health from "./locales/en/health.json";
import type home from "./locales/en/home.json";
import type landing from "./locales/en/landing.json";
import type legal from "./locales/en/legal.json";
import type mail from "./locales/en/mail.json";
import type map from "./locales/en/map.json";
import type market from "./locales/en/market.json";
import type measured from "./locales/en/measured.json";
import type miniApp from "./locales/en/mini-app.json";
import type rules from "./locales/en/rules.json";
import type search from "./locales/en/search.json";

export interface Namespaces {
  account: typeof account;
  alert: typeof alert;
  "alert-mails": typeof alertMails;
  auth: typeof auth;
  bot: typeof bot;
  common: typeof common;
  filter: typeof filter;
  finds: typeof finds;
  "finds-settings": typeof findsSettings;
  health: typeof health;
  home: typeof home;
  landing: typeof landing;
  legal: typeof legal;
  mail: typeof mail;
  map: typeof map;
  market: typeof market;
  measured: typeof measured;
  "mini-app": typeof miniApp;
  rules: typeof rules;
  search: typeof search;
}

export type Namespace = keyof Namespaces;

type PluralForm = "one" | "two" | "few" | "other";

/** A key as used in code: groups joined by dots, a plural without its suffix. */
type KeyOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string
    ? Key extends `${infer Base}_ordinal_${PluralForm}` | `${infer Base}_${PluralForm}`
      ? Base
      : Key
    : `${Key}.${KeyOf<Texts[Key]>}`;
}[keyof Texts & string];

type TextKey<Name extends Namespace> = { [N in Name]: KeyOf<Namespaces[N]> }[Name];

export type Values = Readonly<Record<string, string | number | boolean>>;

/** `count` selects the plural form; with `ordinal: true`, that of an ordinal number. */
export type Translate<Name extends Namespace> = (key: TextKey<Name>, values?: Values) => string;

/** The texts of a namespace in one language. A page loads only its own language, programs load all. */
export interface Words<Name extends Namespace> {
  readonly language: Language;
  readonly t: Translate<Name>;
}
