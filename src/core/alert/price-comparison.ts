import type { Listing } from "../listing/listing.ts";
import { marketNameOf, pricePerM2Of } from "../listing/market.ts";
import type { PriceComparison } from "./alert.ts";

/** What was seen around a listing. */
export interface Market {
  readonly samples: number;
  readonly medianPerM2Eur: number;
}

export function comparisonOf(listing: Listing, market: Market | undefined): PriceComparison | null {
  const perM2 = pricePerM2Of(listing);
  const place = marketNameOf(listing);
  if (!market || perM2 === null || place === null) return null;
  const percent = Math.round((perM2 / market.medianPerM2Eur - 1) * 100);
  return { percent, samples: market.samples, place };
}
