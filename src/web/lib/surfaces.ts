import type account from "#locales/en/account.json";
import type auth from "#locales/en/auth.json";
import type common from "#locales/en/common.json";
import type filter from "#locales/en/filter.json";
import type landing from "#locales/en/landing.json";
import type legal from "#locales/en/legal.json";

/** A surface is one JSON file a language: the texts one part of the product shows. */
export interface Surfaces {
  account: typeof account;
  auth: typeof auth;
  common: typeof common;
  filter: typeof filter;
  landing: typeof landing;
  legal: typeof legal;
}

export type Surface = keyof Surfaces;

/** What a route tells the frame about itself through its `handle`. */
export interface PageHandle {
  /** Texts it shows beyond `common`; they travel inside its prerendered HTML. */
  surfaces: readonly Surface[];
  /** Its header lies on the night sky of the hero. */
  startsAtNight?: boolean;
  /** It answers at addresses it was not rendered for. */
  isNotFound?: boolean;
}
