/** What a search would find, told before it is saved. Written by the watcher, read by the browser. */
import type { Kind, Search } from "./search.ts";

export type SearchPreview =
  /** No feed is sure to have seen all of the place. */
  | { readonly isKnown: false }
  | {
      readonly isKnown: true;
      readonly count: number;
      /** The feed has not been read to its end. */
      readonly isAtLeast: boolean;
      /** Null where the feed has not been watched for long enough. */
      readonly perWeek: number | null;
      readonly newest: readonly PreviewListing[];
      /** Where nothing fits: the wish without which the most would. */
      readonly hint: LooseningHint | null;
    };

export interface PreviewListing {
  readonly id: string;
  readonly title: string | null;
  readonly kind: Kind | null;
  readonly typology: string | null;
  readonly subTypology: string | null;
  readonly address: string | null;
  readonly priceEur: number;
  readonly areaM2: number | null;
  readonly rooms: number | null;
  readonly place: string | null;
}

export interface LooseningHint {
  readonly part: keyof Search;
  /** The one feature it is about. */
  readonly value?: string;
  readonly count: number;
  /** Over so many days. */
  readonly days: number;
}

/** A search with one wish less; price and size lose both their ends. */
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
