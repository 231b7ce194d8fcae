/**
 * What alerts, pages and rules know of a home. Written once for each listing, when it is read (card-of.ts), and stored with it as
 * its card: whoever shows or judges a home later reads the card.
 */
import type { Kind, Operation } from "../search/search.ts";
import type { Warning } from "../warnings/warning.ts";

/** Null means that the portal did not say. */
export interface HomeCard {
  readonly url: string;
  /** The portal's own title: "Flat in calle de Fuencarral". */
  readonly title: string | null;
  readonly operation: Operation;
  readonly kind: Kind;
  /** The portal's words, as in Listing. */
  readonly typology: string;
  readonly subTypology: string | null;
  readonly priceEur: number;
  readonly pricePerM2Eur: number | null;
  readonly areaM2: number | null;
  readonly rooms: number | null;
  readonly bathrooms: number | null;
  readonly floor: string | null;
  readonly hasLift: boolean | null;
  readonly isExterior: boolean | null;
  /** True if the owner advertises it, false if an agency does. */
  readonly isPrivate: boolean | null;
  /** The price is the starting bid of an auction. Only mails say it outside the text. */
  readonly isAuction: boolean | null;
  readonly address: string | null;
  readonly neighborhood: string | null;
  readonly district: string | null;
  readonly municipality: string | null;
  readonly placeId: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** False: the coordinates are approximate. */
  readonly isAddressShown: boolean;
  readonly pictureUrl: string | null;
  readonly photoCount: number;
  readonly warnings: readonly Warning[];
}

/** The fields of the first version. Every stored card has these; it may lack any field that was added since. */
type FirstFields =
  | "url"
  | "title"
  | "operation"
  | "kind"
  | "typology"
  | "subTypology"
  | "priceEur"
  | "pricePerM2Eur"
  | "areaM2"
  | "rooms"
  | "bathrooms"
  | "floor"
  | "hasLift"
  | "isExterior"
  | "address"
  | "neighborhood"
  | "district"
  | "municipality"
  | "pictureUrl";

/** A card as it was stored, by this version or an earlier one. */
export type StoredCard = Pick<HomeCard, FirstFields> & Partial<HomeCard>;

/** A card with all fields, null where nothing is known: of a row with only the fields of the specification. */
export type ShownCard = {
  readonly [Field in keyof HomeCard]: Field extends keyof typeof ALWAYS_KNOWN
    ? HomeCard[Field]
    : HomeCard[Field] | null;
};

const ALWAYS_KNOWN = { url: "", isAddressShown: false, photoCount: 0, warnings: [] } as const;

const UNKNOWN_HOME: ShownCard = {
  ...ALWAYS_KNOWN,
  title: null,
  operation: null,
  kind: null,
  typology: null,
  subTypology: null,
  priceEur: null,
  pricePerM2Eur: null,
  areaM2: null,
  rooms: null,
  bathrooms: null,
  floor: null,
  hasLift: null,
  isExterior: null,
  isPrivate: null,
  isAuction: null,
  address: null,
  neighborhood: null,
  district: null,
  municipality: null,
  placeId: null,
  latitude: null,
  longitude: null,
  pictureUrl: null,
};

/** Adds the fields that a stored card lacks. */
export function completeCard<Card extends Partial<ShownCard>>(card: Card): Card & ShownCard {
  return { ...UNKNOWN_HOME, ...card };
}
