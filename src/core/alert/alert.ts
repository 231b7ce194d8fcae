/**
 * The facts of an alert, frozen when its event was found. They are put into words when the alert is sent. Names of people and
 * searches are no facts: a payload has their ids, so that nothing of a deleted account stays in it (supabase/tests/names-in-chats.db.test.ts).
 */

import type { StoredCard } from "../listing/home-card.ts";
import type { AlertKind } from "./alert-kinds.ts";

/** A listing as an alert shows it: its card when the event was found. */
export interface AlertListing extends StoredCard {
  readonly propertyCode: string;
  readonly comparison: PriceComparison | null;
  /** Only photos whose addresses the source gives. */
  readonly photoCount?: number;
}

/** The price per m² compared with the median of the homes in its zone. Null if there are too few of them. */
export interface PriceComparison {
  /** Whole percent; negative is below the median. */
  readonly percent: number;
  readonly samples: number;
  /** The place whose listings are compared. */
  readonly place: string;
}

export type AccountNotice =
  | { readonly notice: "password-changed" | "chats-lost" | "alert-mail-steps" | "welcome" }
  | { readonly notice: "chat-connected"; readonly chatId: string }
  | {
      readonly notice: "new-browser";
      readonly browser: string;
      readonly platform: string;
      readonly atMs: number;
    }
  /** The address is masked. */
  | { readonly notice: "email-added"; readonly email: string };

export interface AlertPayloads {
  readonly new: {
    readonly listing: AlertListing;
    /** The home's advert under another code, now ended. */
    readonly formerListingId?: string;
    /** The price of the former advert, or the price before a cut that made the listing match. */
    readonly formerPriceEur?: number;
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
  readonly gone: { readonly listing: AlertListing };
  readonly kept: {
    readonly listing: AlertListing;
    /** The accounts of those who kept it, the first one first. */
    readonly keeperIds: readonly string[];
    /** A second person has just kept it. */
    readonly isByTwo: boolean;
  };
  readonly "watch-started": {
    /** The saved link. The search is described in the language of the chat when the alert is sent. */
    readonly filterUrl: string;
    readonly matchCount: number;
    /** Not all pages were read, so `matchCount` is a minimum. */
    readonly isAtLeast: boolean;
    /** Three at most, newest first. */
    readonly newest: readonly AlertListing[];
    /**
     * Why it is told if the search is not new: it was edited, and the homes fit only the new wish; or it was stopped for long,
     * and they came meanwhile.
     */
    readonly occasion?: "edit" | "pause";
  };
  readonly "source-down": {
    readonly sinceMs: number;
    readonly reason: string;
    /** Set when the month's requests are spent: the end of the month, and whether alert mails still arrive. */
    readonly untilMs?: number;
    readonly isServedByMail?: boolean;
    /** The source comes and goes. Set by the policy for notices. */
    readonly isFlapping?: boolean;
  };
  readonly "source-up": {
    readonly sinceMs: number;
    readonly untilMs: number;
    readonly mayHaveMissed: boolean;
    /** "quota-spent" if the month's requests were spent, otherwise unset. */
    readonly reason?: string;
  };
  readonly gap: {
    readonly fromMs: number;
    readonly untilMs: number;
    /** As in watch.gaps. */
    readonly cause: string;
  };
  readonly question: Readonly<Record<string, never>>;
  readonly connected: Readonly<Record<string, never>>;
  readonly test: Readonly<Record<string, never>>;
  readonly "summary-offer": {
    readonly searchId: string;
    /** Homes found in the last day. */
    readonly found: number;
  };
  readonly "forwarding-question": { readonly code: string; readonly link: string | null };
  readonly "account-notice": AccountNotice;
  readonly "account-deleted": Readonly<Record<string, never>>;
  readonly "telegram-disconnected": Readonly<Record<string, never>>;
  readonly "access-ended": Readonly<Record<string, never>>;
}

export type AlertNews = {
  readonly [K in AlertKind]: { readonly kind: K; readonly payload: AlertPayloads[K] };
}[AlertKind];

/** A known home under a new code. */
export function isReadvertised({ kind, payload }: { kind: AlertKind; payload: unknown }): boolean {
  return kind === "new" && typeof payload === "object" && payload !== null && "formerListingId" in payload;
}
