/** The facts of an alert, frozen when its event was found. They are put into words when the alert is sent. */

import type { Kind, Operation } from "../search/search.ts";
import type { Warning } from "../warnings/warning.ts";
import type { AlertKind } from "./alert-kinds.ts";

/** A listing as an alert shows it. A null means that the portal did not say. */
export interface AlertListing {
  readonly propertyCode: string;
  readonly url: string;
  /** The portal's own title: "Flat in calle de Fuencarral". */
  readonly title: string | null;
  readonly operation: Operation;
  readonly kind: Kind;
  /** The portal's words, as in Listing. */
  readonly typology: string;
  readonly subTypology: string | null;
  readonly priceEur: number;
  readonly areaM2: number | null;
  readonly rooms: number | null;
  readonly bathrooms: number | null;
  readonly floor: string | null;
  readonly hasLift: boolean | null;
  readonly isExterior: boolean | null;
  readonly address: string | null;
  readonly neighborhood: string | null;
  readonly district: string | null;
  readonly municipality: string | null;
  readonly pictureUrl: string | null;
  readonly pricePerM2Eur: number | null;
  readonly comparison: PriceComparison | null;
  /** Offered by its owner, or by an agency. Alerts by mail may lack this and what follows. */
  readonly isPrivate?: boolean | null;
  /** The price is where bids begin. */
  readonly isAuction?: boolean;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  /** False: the point is only near. */
  readonly isAddressShown?: boolean;
  readonly placeId?: string | null;
  /** How many photos the source gives the addresses of. */
  readonly photoCount?: number;
  readonly signs?: readonly Warning[];
}

/** How the price per m² compares with the median of what was seen around; only where enough was seen. */
export interface PriceComparison {
  /** Whole percent; negative is below the median. */
  readonly percent: number;
  readonly samples: number;
  /** The name of the place compared with. */
  readonly place: string;
}

export interface AlertPayloads {
  readonly new: {
    readonly listing: AlertListing;
    /** It came to the person by a cut, from this price. */
    readonly formerPriceEur?: number;
    /** The portal sent many in one mail. */
    readonly isOfDigest?: boolean;
  };
  readonly "price-drop": {
    readonly listing: AlertListing;
    readonly formerPriceEur: number;
    /** Whole percent, positive. */
    readonly dropPercent: number;
    readonly isOfDigest?: boolean;
  };
  readonly back: { readonly listing: AlertListing };
  readonly readvertised: {
    readonly listing: AlertListing;
    readonly formerListingId: string;
    readonly formerPriceEur: number;
  };
  readonly gone: { readonly listing: AlertListing };
  readonly "watch-started": {
    /** The saved link: its search is put in words in the language of the chat. */
    readonly filterUrl: string;
    readonly matchCount: number;
    /** There are more than were read: `matchCount` is "at least". */
    readonly isAtLeast: boolean;
    /** Three at most, newest first. */
    readonly newest: readonly AlertListing[];
  };
  readonly "source-down": {
    readonly sinceMs: number;
    readonly reason: string;
    /** When the month's requests are spent: until then, and whether alert mails come all the same. */
    readonly untilMs?: number;
    readonly isServedByMail?: boolean;
  };
  readonly "source-up": {
    readonly sinceMs: number;
    readonly untilMs: number;
    readonly mayHaveMissed: boolean;
    /** Only "quota-spent": the requests were spent. */
    readonly reason?: string;
  };
  readonly question: { readonly email: string };
  readonly connected: { readonly email: string };
  readonly test: Readonly<Record<string, never>>;
  readonly "forwarding-question": { readonly code: string; readonly link: string | null };
  readonly "account-deleted": Readonly<Record<string, never>>;
}

/** One thing to tell, with the facts of its kind. */
export type AlertNews = {
  readonly [K in AlertKind]: { readonly kind: K; readonly payload: AlertPayloads[K] };
}[AlertKind];
