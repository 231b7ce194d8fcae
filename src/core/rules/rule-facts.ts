import type { PriceComparison } from "../alert/alert.ts";
import type { ShownCard } from "../listing/home-card.ts";
import type { WarningKind } from "../warnings/warning.ts";

/** The facts of a home that rules ask for. Null means unknown. */
export interface RuleFacts {
  readonly warnings: readonly WarningKind[];
  readonly isPrivate: boolean | null;
  readonly title: string | null;
  /** Those of the description, as wordsIn() writes them; null if there was none. */
  readonly words: string | null;
  readonly percentOfZone: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** False: the portal moved the point. */
  readonly isAddressShown: boolean;
}

/** What rules read of a listing: the card of an alert or of a past home. */
export type RuledListing = Partial<ShownCard> & {
  readonly comparison?: Pick<PriceComparison, "percent"> | null;
};

/** `words`: those of the description, as wordsIn() writes them. */
export function ruleFactsOf(listing: RuledListing, words: string | null): RuleFacts {
  return {
    warnings: (listing.warnings ?? []).map(({ kind }) => kind),
    isPrivate: listing.isPrivate ?? null,
    title: listing.title ?? null,
    words,
    percentOfZone: listing.comparison?.percent ?? null,
    latitude: listing.latitude ?? null,
    longitude: listing.longitude ?? null,
    isAddressShown: listing.isAddressShown ?? false,
  };
}
