import type { Kind, Operation } from "#core/search/search.ts";

export const PORTALS = [
  "idealista.com",
  "idealista.it",
  "idealista.pt",
  "fotocasa",
  "habitaclia",
  "yaencontre",
] as const;
export type Portal = (typeof PORTALS)[number];

/** One advert of an alert mail, with only what the mail says. Null means that the mail does not say it. */
export interface MailEvent {
  readonly event: "new" | "cheaper";
  readonly portal: Portal;
  /** The portal's number of the advert. */
  readonly code: string;
  /** The key of `public.listings`: the code alone for idealista.com, whose codes are those of the API. */
  readonly listingId: string;
  /** Rebuilt from the advert's code, without tracking parameters. */
  readonly url: string;
  readonly operation: Operation;
  readonly kind: Kind;
  /** The type of home as in the API; null if the title's first word is unknown. */
  readonly typology: string | null;
  readonly subTypology: string | null;
  readonly isPrivate: boolean | null;
  readonly isAuction: boolean;
  readonly title: string | null;
  /** From narrow to wide: street and number, quarter, town. */
  readonly address: readonly string[];
  readonly priceEur: number;
  readonly formerPriceEur: number | null;
  readonly rooms: number | null;
  readonly areaM2: number | null;
  /** As the API writes it: "3", bj (ground), en (mezzanine), st (basement), ss (semi-basement). */
  readonly floor: string | null;
  readonly hasLift: boolean | null;
  readonly isExterior: boolean | null;
  readonly photoUrl: string | null;
  readonly photoCount: number | null;
  readonly description: string | null;
  /** The saved search that found it, without anything that identifies the recipient. */
  readonly searchUrl: string | null;
}

/** An advert that could not be read reliably. */
export interface UnreadCard {
  readonly code: string;
  readonly why: string;
}

export type MailReading =
  | {
      readonly type: "alert" | "digest";
      readonly portal: Portal;
      readonly events: readonly MailEvent[];
      readonly unread: readonly UnreadCard[];
    }
  /** A mail provider asks whether the user's mail may be forwarded to this address. */
  | { readonly type: "forwarding-question"; readonly code: string; readonly link: string | null }
  | { readonly type: "not-an-alert"; readonly why: string }
  | { readonly type: "unreadable"; readonly portal: Portal; readonly why: string };
