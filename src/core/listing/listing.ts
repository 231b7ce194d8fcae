import type { Condition, Feature, Kind, Operation } from "../search/search.ts";
import type { Warning } from "../warnings/warning.ts";

/** A property on offer, as read from a source. Null means that the source did not say, which is different from no. */
export interface Listing {
  /** The identity of a listing: the portal's number, prefixed with the portal's name unless it is idealista.com. */
  readonly propertyCode: string;
  readonly operation: Operation;
  readonly kind: Kind;
  /** The monthly rent, or the asking price. */
  readonly priceEur: number;
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
  /** The location id, if the source states one. The official API does not, so its listings are placed by name. */
  readonly placeId: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** False: the portal moved the point by up to 230 m. */
  readonly isAddressShown: boolean;
  /** The portal states a parking space only if there is one: null means none. */
  readonly parking: Parking | null;
  /** Names of the portal's labels: luxuryType, apartamentoType, villaType … */
  readonly labels: readonly string[];
  /** What a source states beyond the official API. */
  readonly amenities: Readonly<Partial<Record<Feature, boolean>>>;
  readonly hasPlan: boolean;
  readonly hasVirtualTour: boolean;
  readonly photoCount: number;
  /** All photos, if the source gives more than the first. */
  readonly photoUrls?: readonly string[];
  readonly url: string;
  readonly thumbnailUrl: string | null;
  readonly title: string | null;
  readonly description: string | null;
  /** What was read in the description. The description itself is not stored. */
  readonly wording?: Wording;
  /** Only for rooms in shared flats. */
  readonly sharing: RoomSharing | null;
}

export interface Wording {
  readonly warnings: readonly Warning[];
  /** Equal for equal texts; null if the text is too short. */
  readonly textKey: string | null;
  /** The words of the description without case and accents, for rules; null if there is none. */
  readonly words?: string | null;
}

export interface Parking {
  readonly isIncludedInPrice: boolean;
  readonly priceEur: number | null;
}

export interface RoomSharing {
  readonly tenantGender: "mixed" | "male" | "female" | null;
  readonly isSmokingAllowed: boolean | null;
}
