/** The preview of a link before it is saved. Written by the watcher, read by the browser. */
import type { StoredCard } from "../listing/home-card.ts";
import type { Search } from "./search.ts";

export type SearchPreview =
  /** No feed has certainly seen all listings of the place. */
  | { readonly isKnown: false }
  | {
      readonly isKnown: true;
      readonly count: number;
      /** The feed has not been read to its end. */
      readonly isAtLeast: boolean;
      /** Null if the feed has not been watched long enough. */
      readonly perWeek: number | null;
      readonly newest: readonly PreviewListing[];
      /** If nothing matches: the wish whose removal would add the most matches. */
      readonly hint: LooseningHint | null;
    };

/** What is known of a listing whose link was pasted. */
export interface ListingPreview {
  /** Null if no source has seen it. */
  readonly listing: PreviewListing | null;
  /** A search for similar homes; null if too little is known. */
  readonly similarUrl: string | null;
  /** Its price cuts and its removal can be reported to this person. */
  readonly canBeWatched: boolean;
  readonly isKept: boolean;
}

export interface PreviewListing {
  readonly id: string;
  readonly card: StoredCard;
}

export interface LooseningHint {
  readonly part: keyof Search;
  readonly value?: string;
  readonly count: number;
  readonly days: number;
}

/** A search with one wish removed; for price and size, both limits. */
export interface LooserSearch {
  readonly part: keyof Search;
  readonly value?: string;
  readonly search: Search;
}

export function looserSearches(search: Search): LooserSearch[] {
  const whole: LooserSearch[] = [
    { part: "maxPriceEur", search: { ...search, minPriceEur: null, maxPriceEur: null } },
    { part: "minAreaM2", search: { ...search, minAreaM2: null, maxAreaM2: null } },
    { part: "bedrooms", search: { ...search, bedrooms: [] } },
    { part: "bathrooms", search: { ...search, bathrooms: [] } },
    { part: "homeTypes", search: { ...search, homeTypes: [] } },
    { part: "conditions", search: { ...search, conditions: [] } },
    { part: "floors", search: { ...search, floors: [] } },
    { part: "admits", search: { ...search, admits: [] } },
  ];
  const features = search.features.map((value): LooserSearch => {
    const others = search.features.filter((feature) => feature !== value);
    return { part: "features", value, search: { ...search, features: others } };
  });
  return [...whole, ...features];
}
