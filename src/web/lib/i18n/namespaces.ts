import type account from "#text/locales/en/account.json";
import type alertMails from "#text/locales/en/alert-mails.json";
import type auth from "#text/locales/en/auth.json";
import type common from "#text/locales/en/common.json";
import type filter from "#text/locales/en/filter.json";
import type finds from "#text/locales/en/finds.json";
import type findsSettings from "#text/locales/en/finds-settings.json";
import type health from "#text/locales/en/health.json";
import type heldSetup from "#text/locales/en/held-setup.json";
import type landing from "#text/locales/en/landing.json";
import type legal from "#text/locales/en/legal.json";
import type map from "#text/locales/en/map.json";
import type market from "#text/locales/en/market.json";

/** A namespace is one JSON file a language: the texts one part of the product shows. */
export interface Namespaces {
  account: typeof account;
  "alert-mails": typeof alertMails;
  auth: typeof auth;
  common: typeof common;
  filter: typeof filter;
  "finds-settings": typeof findsSettings;
  finds: typeof finds;
  health: typeof health;
  "held-setup": typeof heldSetup;
  landing: typeof landing;
  legal: typeof legal;
  market: typeof market;
  map: typeof map;
}

export type Namespace = keyof Namespaces;
