import type { SignKind } from "#core/finds/signs.ts";
import type { Forms } from "../labels.ts";

/** How one language speaks of a home on offer. {a} and {b} stand for what is filled in, # for a count. */
export interface HomePhrases {
  readonly types: Readonly<Record<HomeWord, string>>;
  readonly bedrooms: Forms;
  /** No bedroom of its own. */
  readonly oneRoom: string;
  /** {a} is the floor's number as the language counts, {b} as Spain does. */
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
