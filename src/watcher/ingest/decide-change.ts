/**
 * The one place that decides what a change of a home on the market means for a search that it fits, from two facts: whether the
 * person was told of the home, and whether it fitted the search before. Which changes a search has not decided yet is a matter
 * of coverage (`watch.coverage`); everything that happens to a search only moves that.
 */

export type HomeChange =
  | { readonly what: "appeared" | "returned" }
  /** It costs something else, or its facts were corrected. */
  | {
      readonly what: "changed";
      readonly priceEur: number;
      readonly formerPriceEur: number;
      readonly didFit: boolean;
    };

/** Kinds of alerts about a home that the person was told of. */
export const TOLD_AGAIN = ["back", "price-drop"] as const;
export type ToldAgain = (typeof TOLD_AGAIN)[number];

export interface ChangeDecision {
  /** For people who were never told of the home. Null: they are not told now either. */
  readonly unknown: "new" | null;
  /** For people who were told of it. */
  readonly known: ToldAgain | null;
}

export function decideChange(change: HomeChange): ChangeDecision {
  switch (change.what) {
    case "appeared":
      return { unknown: "new", known: null };
    case "returned":
      return { unknown: "new", known: "back" };
    case "changed":
      return {
        unknown: change.didFit ? null : "new",
        known: isCut(change.formerPriceEur, change.priceEur) ? "price-drop" : null,
      };
  }
}

/** Zero stands for an unknown price. */
function isCut(formerPriceEur: number, priceEur: number): boolean {
  return priceEur > 0 && priceEur < formerPriceEur;
}
