import { findPlace } from "../places/places.ts";
import { BEDROOMS, type Kind, type Operation, type Search, searchFor } from "./search.ts";

/** What a search for similar homes needs to know of a listing. */
export interface SimilarTo {
  readonly operation: Operation;
  readonly kind: Kind;
  readonly priceEur: number;
  readonly rooms: number | null;
  /** Its zone: a location id, or another name of a place. */
  readonly placeId: string | null;
}

/** The part of the price by which a similar home may be cheaper or dearer. */
const TOLERANCE = 0.1;

/** The same zone and bedrooms, at about the same price. Undefined if the zone is not a place that can be searched. */
export function similarSearch({ operation, kind, priceEur, rooms, placeId }: SimilarTo): Search | undefined {
  const place = placeId === null ? undefined : findPlace(placeId);
  if (place === undefined || place.level === "province") return undefined;
  const step = priceEur < 10_000 ? 10 : 1_000;
  const most = BEDROOMS[BEDROOMS.length - 1] ?? 0;
  const bedrooms = BEDROOMS.filter((count) => rooms !== null && count === Math.min(rooms, most));
  return {
    ...searchFor(operation, kind, { type: "place", placeId: place.id }),
    minPriceEur: Math.floor((priceEur * (1 - TOLERANCE)) / step) * step || null,
    maxPriceEur: Math.ceil((priceEur * (1 + TOLERANCE)) / step) * step,
    // The portal has words for bedrooms only in searches for homes.
    bedrooms: kind === "homes" ? bedrooms : [],
  };
}
