/** Homes found for a person, as the page of finds and the map show them. A null means that no source said. */
import type { PriceComparison } from "../alert/alert.ts";
import type { Kind, Operation } from "../search/search.ts";
import type { Warning } from "../warnings/warning.ts";

/** One home: its latest advert, and what all of its adverts have in common. */
export interface FoundHome {
  /** The latest advert of the home that was found for the person. */
  readonly listingId: string;
  /** The same for all adverts of a home: the key of a card. */
  readonly homeId: string;
  readonly url: string;
  /** The portal's own title. */
  readonly title: string | null;
  /** Null in rows that have only the specification's fields. */
  readonly operation: Operation | null;
  readonly kind: Kind | null;
  readonly typology: string | null;
  readonly subTypology: string | null;
  readonly priceEur: number | null;
  /** The price before the latest cut, where there was one. */
  readonly formerPriceEur: number | null;
  readonly pricePerM2Eur: number | null;
  readonly comparison: PriceComparison | null;
  readonly areaM2: number | null;
  readonly rooms: number | null;
  readonly bathrooms: number | null;
  readonly floor: string | null;
  readonly hasLift: boolean | null;
  readonly isExterior: boolean | null;
  readonly isPrivate: boolean | null;
  readonly address: string | null;
  readonly neighborhood: string | null;
  readonly district: string | null;
  readonly municipality: string | null;
  /** The portal's location id of its zone. */
  readonly placeId: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** False: the point is only near. */
  readonly isAddressShown: boolean;
  readonly pictureUrl: string | null;
  readonly photoCount: number;
  /** The searches that found it and still exist. */
  readonly searchIds: readonly string[];
  /** When it was found for the person first, and when a source met it last (ISO). */
  readonly foundAt: string;
  readonly lastSeenAt: string | null;
  /** Since when no source has it any more. */
  readonly goneAt: string | null;
  readonly mark: HomeMark | null;
  readonly note: string | null;
  /** How many adverts of the home were found; more than one: it is back under another code. */
  readonly advertCount: number;
  /** To the person's own places, where a routing server has said. */
  readonly travelTimes: readonly TravelTime[];
  readonly signs: readonly Warning[];
}

export type HomeMark = "kept" | "hidden";

/** What a person can ask for; hidden homes come only where they are asked for. */
export const FIND_STATES = ["new", "kept", "hidden", "cheaper", "gone", "back"] as const;
export type FindState = (typeof FIND_STATES)[number];

export const FIND_ORDERS = ["newest", "price", "price-per-m2", "cheaper-than-zone"] as const;
export type FindOrder = (typeof FIND_ORDERS)[number];

/** What public.my_finds takes, beside the cursor. */
export interface FindFilter {
  readonly searchId?: string;
  readonly state?: FindState;
  /** A location id: that zone and what lies in it. */
  readonly zone?: string;
  readonly minPriceEur?: number;
  readonly maxPriceEur?: number;
  readonly order?: FindOrder;
}

export interface FindPage {
  readonly finds: readonly FoundHome[];
  /** Where the next page begins; null at the end. */
  readonly next: string | null;
  /** How many homes there are in all for the filter, on the first page only. */
  readonly count: number | null;
  /** Where they lie, all of them, on the first page only. */
  readonly zones: readonly FindZone[] | null;
}

export type FindZone = Pick<FoundHome, "placeId" | "neighborhood" | "district" | "municipality">;

/** One home opened: what public.my_find answers. */
export interface FindDetails extends FoundHome {
  /** Of all its adverts, oldest first. */
  readonly prices: readonly { readonly seenAt: string; readonly priceEur: number }[];
  readonly adverts: readonly {
    readonly listingId: string;
    readonly url: string;
    readonly firstSeenAt: string;
    readonly lastSeenAt: string;
    readonly goneAt: string | null;
    readonly priceEur: number;
  }[];
  readonly photos: readonly string[];
  /** What was asked for a square metre in its zone in the last 90 days, at most 200 of them, ascending; empty under five. */
  readonly zonePricesPerM2: readonly number[];
  readonly zoneCount: number;
}

/** A window on the map: what public.my_find_points answers, newest first, 5,000 at most. */
export interface FindPoint {
  readonly listingId: string;
  readonly homeId: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly placeId: string | null;
  readonly priceEur: number | null;
  readonly mark: HomeMark | null;
  readonly isGone: boolean;
}

/** A place of one's own ("work"). */
export interface OwnPlace {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** From a home to a place of one's own, in minutes, where somebody has worked them out. */
export interface TravelTime {
  readonly placeId: string;
  readonly footMinutes?: number | null;
  readonly bicycleMinutes?: number | null;
}

/** A row of public.market_figures: what Sereno saw in 90 days; never of fewer than five. */
export interface MarketFigure {
  readonly placeId: string;
  readonly placeName: string;
  readonly operation: Operation;
  /** "all", or square metres: "under-50", "50-79", "80-119", "120-up". */
  readonly sizeBand: SizeBand;
  readonly seenCount: number;
  readonly medianPerM2Eur: number;
  readonly lowPerM2Eur: number;
  readonly highPerM2Eur: number;
  /** Days from first seen to gone, of those that went; null where fewer than five went. */
  readonly medianDays: number | null;
  readonly goneCount: number;
  /** Percent of what was seen whose price was cut, 0 to 100. */
  readonly cutPercent: number;
}

export const SIZE_BANDS = ["all", "under-50", "50-79", "80-119", "120-up"] as const;
export type SizeBand = (typeof SIZE_BANDS)[number];
