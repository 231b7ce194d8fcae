import type { Condition, Feature, Kind, Operation } from "../search/search.ts";
import type { Warning } from "../warnings/warning.ts";

/**
 * A property on offer, as a source understood it from its answer. A null means the answer did not say,
 * which is not the same as no.
 */
export interface Listing {
  /** The portal's own number, behind the name of any portal but idealista.com; the identity of a listing. */
  readonly propertyCode: string;
  readonly operation: Operation;
  readonly kind: Kind;
  /** A month's rent, or the price asked. */
  readonly priceEur: number;
  readonly priceDrop: PriceDrop | null;
  readonly areaM2: number | null;
  /** Bedrooms; a studio has 0. */
  readonly rooms: number | null;
  readonly bathrooms: number | null;
  /** As the portal writes it: "1", "14", "-1", bj (ground), en (mezzanine), st (basement), ss (semi-basement). */
  readonly floor: string | null;
  readonly hasLift: boolean | null;
  readonly isExterior: boolean | null;
  /** The portal's word: flat, chalet, countryHouse, room, garage, office, premise. */
  readonly typology: string;
  /** The portal's word: penthouse, duplex, studio, independantHouse, semidetachedHouse, terracedHouse, casaDePueblo … */
  readonly subTypology: string | null;
  readonly condition: Condition | null;
  readonly address: string | null;
  readonly province: string | null;
  readonly municipality: string | null;
  readonly district: string | null;
  readonly neighborhood: string | null;
  /** The location id, where the source states one; the official API does not, and names decide. */
  readonly placeId: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** False: the portal moved the point, by up to some 230 m. */
  readonly isAddressShown: boolean;
  /** The portal states a parking space only where there is one: null means none. */
  readonly parking: Parking | null;
  /** Names of the portal's labels: luxuryType, apartamentoType, villaType … */
  readonly labels: readonly string[];
  /** What a richer source states beyond the official API; empty from the official one. */
  readonly amenities: Readonly<Partial<Record<Feature, boolean>>>;
  readonly hasPlan: boolean;
  readonly hasVirtualTour: boolean;
  readonly hasVideo: boolean;
  readonly photoCount: number;
  /** All of its photos, where the source gives more than the first. */
  readonly photoUrls?: readonly string[];
  readonly url: string;
  readonly thumbnailUrl: string | null;
  readonly title: string | null;
  readonly subtitle: string | null;
  readonly description: string | null;
  /** What was read in the description, which is not kept itself. */
  readonly wording?: Wording;
  /** Only for rooms in shared flats. */
  readonly sharing: RoomSharing | null;
}

export interface Wording {
  readonly signs: readonly Warning[];
  /** Equal for the same text; null where there is too little of it. */
  readonly textKey: string | null;
}

export interface PriceDrop {
  readonly formerPriceEur: number;
  readonly dropPercent: number;
}

export interface Parking {
  readonly isIncludedInPrice: boolean;
  readonly priceEur: number | null;
}

export interface RoomSharing {
  readonly tenantGender: "mixed" | "male" | "female" | null;
  readonly tenantCount: number | null;
  readonly isSmokingAllowed: boolean | null;
}
