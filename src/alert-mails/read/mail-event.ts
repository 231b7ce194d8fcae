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

/** One advert of an alert mail: only what the mail itself says. A null means that it does not say. */
export interface MailEvent {
  readonly event: "new" | "cheaper";
  readonly portal: Portal;
  /** The portal's own number of the advert. */
  readonly code: string;
  /** The key of `public.listings`: the code alone for idealista.com, whose codes are those of the API. */
  readonly listingId: string;
  /** Rebuilt from what names the advert; nothing of how the mail was sent is left in it. */
  readonly url: string;
  readonly operation: Operation;
  readonly kind: Kind;
  /** The portal's words for the sort of home, as the API gives them; null where the title's first word is unknown. */
  readonly typology: string | null;
  readonly subTypology: string | null;
  readonly isPrivate: boolean | null;
  readonly isAuction: boolean;
  readonly title: string | null;
  /** From narrow to wide: street with its number, quarter, town. */
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
  /** The saved search that the portal says found it, without anything about its reader. */
  readonly searchUrl: string | null;
}

/** An advert of which the mail said something that cannot be relied on. */
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
  /** A mail provider asks whether its user's mail may be forwarded to the address it came to. */
  | { readonly type: "forwarding-question"; readonly code: string; readonly link: string | null }
  | { readonly type: "not-an-alert"; readonly why: string }
  | { readonly type: "unreadable"; readonly portal: Portal; readonly why: string };
