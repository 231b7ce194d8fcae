import type { SignKind } from "#core/finds/signs.ts";
import type { Language } from "#core/languages.ts";
import type { Forms } from "../labels.ts";
import { homeDe } from "./home-de.ts";
import { homeEn } from "./home-en.ts";
import { homeEs } from "./home-es.ts";
import { homeFr } from "./home-fr.ts";
import { homeRu } from "./home-ru.ts";

/** How one language speaks of a home on offer. {a} and {b} stand for what is filled in, # for a count. */
export interface HomePhrases {
  readonly types: Readonly<Record<HomeWord, string>>;
  readonly bedrooms: Forms;
  /** No bedroom of its own. */
  readonly oneRoom: string;
  /** {a} is the floor's number. */
  readonly floor: string;
  readonly floors: Readonly<Record<"ground" | "mezzanine" | "basement" | "semiBasement", string>>;
  readonly lift: string;
  readonly noLift: string;
  readonly auction: string;
  readonly private: string;
  readonly agency: string;
  /** {a} is a percentage, {b} the place compared with. */
  readonly below: Forms;
  readonly level: Forms;
  readonly above: Forms;
  readonly signs: Readonly<Record<SignKind, string>>;
  /** {a} is a sign, {b} the words of the advert. */
  readonly quoted: string;
  readonly sameTextCodes: Forms;
  readonly sameTextTowns: Forms;
  /** {a} is a distance, {b} the name of a place. */
  readonly distanceTo: string;
  readonly about: string;
  readonly onFoot: string;
  readonly byBicycle: string;
}

export type HomeWord =
  | "home"
  | "flat"
  | "penthouse"
  | "duplex"
  | "studio"
  | "house"
  | "detachedHouse"
  | "semiDetachedHouse"
  | "terracedHouse"
  | "countryHouse"
  | "room"
  | "office"
  | "premises"
  | "industrialUnit"
  | "garage"
  | "newDevelopment"
  | "land"
  | "storageRoom"
  | "building"
  | "transfer";

const PHRASES: Readonly<Record<Language, HomePhrases>> = {
  en: homeEn,
  es: homeEs,
  ru: homeRu,
  de: homeDe,
  fr: homeFr,
};

export function homePhrases(language: Language): HomePhrases {
  return PHRASES[language];
}

/** {a} and {b} filled in, whatever these hold themselves. */
export function filled(phrase: string, a: string, b = ""): string {
  return phrase.replace(/\{[ab]\}/g, (slot) => (slot === "{a}" ? a : b));
}
