import type { LimitCode } from "#core/matching/search-limits.ts";
import type {
  Condition,
  EnergyClass,
  Feature,
  Flatmates,
  FloorBand,
  Furnishing,
  HomeType,
  Kind,
  LandClass,
  Operation,
  PublishedWithin,
  RentalType,
  SaleSituation,
  Tenant,
} from "#core/search/search.ts";
import type { Forms } from "../labels.ts";
import type { AreaForms } from "./area-forms.ts";

/** How one language speaks of a search. {a} and {b} stand for what is filled in, # for a count. */
export interface Phrases {
  readonly operations: Readonly<Record<Operation, string>>;
  readonly kinds: Readonly<Record<Kind, string>>;
  readonly homeTypes: Readonly<Record<HomeType, string>>;
  readonly conditions: Readonly<Record<Condition, string>>;
  readonly features: Readonly<Record<Feature, string>>;
  readonly floors: Readonly<Record<FloorBand, string>>;
  readonly furnishings: Readonly<Record<Furnishing, string>>;
  readonly publishedWithin: Readonly<Record<PublishedWithin, string>>;
  readonly saleSituations: Readonly<Record<SaleSituation, string>>;
  readonly rentalTypes: Readonly<Record<RentalType, string>>;
  readonly energyClasses: Readonly<Record<EnergyClass, string>>;
  readonly landClasses: Readonly<Record<LandClass, string>>;
  readonly admits: Readonly<Record<Tenant, string>>;
  readonly flatmates: Readonly<Record<Flatmates, string>>;
  readonly upTo: string;
  readonly from: string;
  readonly between: string;
  readonly studio: string;
  readonly bedrooms: Forms;
  readonly bedroomsOrMore: Forms;
  readonly bathrooms: Forms;
  readonly bathroomsOrMore: Forms;
  readonly province: string;
  readonly postCode: string;
  readonly drawn: AreaForms;
  readonly zones: AreaForms;
  readonly quoted: string;
  readonly unknownWord: string;
  /** {a} is the wish in question. */
  readonly limits: Readonly<Record<LimitCode, string>>;
}
