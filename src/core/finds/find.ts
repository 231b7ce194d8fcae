/** Homes found for a person, as the finds page and the map show them. Null means that no source said. */
import type { PriceComparison } from "../alert/alert.ts";
import type { ShownCard } from "../listing/home-card.ts";
import type { Rule } from "../rules/rule-kinds.ts";
import type { Operation } from "../search/search.ts";

/** One home: the card of its latest advert, and what its adverts have in common. */
export interface FoundHome extends ShownCard {
  /** The latest advert of the home that was found for the person. */
  readonly listingId: string;
  /** The same for all adverts of one home. */
  readonly homeId: string;
  /** The price before the latest cut, if there was one. */
  readonly formerPriceEur: number | null;
  readonly comparison: PriceComparison | null;
  /** The searches that found it and still exist. */
  readonly searchIds: readonly string[];
  /** ISO times: when the home was first found for this person, and when a source last listed it. */
  readonly foundAt: string;
  readonly lastSeenAt: string | null;
  /** `lastSeenAt` if that is too long ago, though no source saw it end: a failing source, or a paused search. */
  readonly notSeenSince: string | null;
  /** Since when no source lists it. */
  readonly goneAt: string | null;
  readonly mark: HomeMark | null;
  readonly note: string | null;
  /** The searches whose rules left it out. */
  readonly leftOutBy: readonly { readonly searchId: string; readonly rule: Rule }[];
  /** How many adverts of this home were found. More than one means that it came back under another code. */
  readonly advertCount: number;
  /** To the person's own places, as far as the routing server has answered. */
  readonly travelTimes: readonly TravelTime[];
}

export type HomeMark = "kept" | "hidden";

/** Which finds to show. Hidden homes, and those that rules left out, are shown only in the states of these names. */
export const FIND_STATES = ["new", "kept", "cheaper", "gone", "back", "hidden", "left-out"] as const;
export type FindState = (typeof FIND_STATES)[number];

export const FIND_ORDERS = ["newest", "price", "price-per-m2", "cheaper-than-zone"] as const;
export type FindOrder = (typeof FIND_ORDERS)[number];

/** The parameters of public.my_finds, except the cursor. */
export interface FindFilter {
  readonly searchId?: string;
  readonly state?: FindState;
  /** A location id: that zone and all places in it. */
  readonly zone?: string;
  readonly minPriceEur?: number;
  readonly maxPriceEur?: number;
  readonly order?: FindOrder;
}

export interface FindPage {
  readonly finds: readonly FoundHome[];
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
  /** How many homes match the filter in all. First page only. */
  readonly count: number | null;
  /** The zones of all homes that match the filter. First page only. */
  readonly zones: readonly FindZone[] | null;
}

export type FindZone = Pick<FoundHome, "placeId" | "neighborhood" | "district" | "municipality">;

/** The answer of public.my_find: one home in detail. */
export interface FindDetails extends FoundHome {
  /** Prices of all its adverts, oldest first. */
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
  /** Prices per m² seen in its zone in the last 90 days, ascending, at most 200; empty if fewer than five. */
  readonly zonePricesPerM2: readonly number[];
  readonly zoneCount: number;
}

/** How many homes rules left out in the days up to today, by the calendar of Spain. */
export interface LeftOutCounts {
  readonly today: number;
  readonly week: number;
  readonly month: number;
}

/** A home on the map. */
export interface FindPoint {
  readonly listingId: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** False: the coordinates are approximate. */
  readonly isAddressShown: boolean;
  readonly placeId: string | null;
  readonly priceEur: number | null;
  readonly mark: HomeMark | null;
  readonly isGone: boolean;
}

/** The answer of public.my_find_points: for each field the values of all homes, newest first, 5,000 at most. */
export type FindPointLists = { readonly [Field in keyof FindPoint]: readonly FindPoint[Field][] };

/** A place that the person saved ("work"). */
export interface OwnPlace {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Minutes from a home to a saved place, as far as the routing server has answered. */
export interface TravelTime {
  readonly placeId: string;
  readonly footMinutes?: number | null;
  readonly bicycleMinutes?: number | null;
}

/** A row of public.market_figures: statistics of the last 90 days. A zone with fewer than five listings has no row. */
export interface MarketFigure {
  readonly placeId: string;
  readonly placeName: string;
  readonly operation: Operation;
  /** "all", or a range in m². */
  readonly sizeBand: SizeBand;
  readonly seenCount: number;
  readonly medianPerM2Eur: number;
  readonly lowPerM2Eur: number;
  readonly highPerM2Eur: number;
  /** Days from first seen to gone; null if fewer than five listings went. */
  readonly medianDays: number | null;
  readonly goneCount: number;
  /** Percent of the listings whose price was cut, 0 to 100. */
  readonly cutPercent: number;
}

export const SIZE_BANDS = ["all", "under-50", "50-79", "80-119", "120-up"] as const;
export type SizeBand = (typeof SIZE_BANDS)[number];
