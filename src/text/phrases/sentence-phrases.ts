import type {
  Condition,
  EnergyClass,
  Feature,
  Flatmates,
  FloorBand,
  Furnishing,
  Operation,
  PublishedWithin,
  RentalType,
  SaleSituation,
  Tenant,
} from "#core/search/search.ts";
import type { Forms } from "../labels.ts";
import type { AreaForms } from "./area-forms.ts";

/**
 * How a wish is said: behind "with", where several share the one word ("with lift and terrace"), or as words
 * of their own between commas. Both are chosen so that nothing in them bends to the gender of what is sought.
 */
export type Wish = { readonly with: string } | string;

/** The forms a whole sentence needs. {a} is what is filled in, # a count. */
export interface SentencePhrases {
  /** {a} is the kind of property. */
  readonly operations: Readonly<Record<Operation, string>>;
  /** {a} are types of homes. */
  readonly inNewDevelopments: string;
  readonly inPlace: string;
  readonly inComarca: string;
  readonly inProvince: string;
  readonly inPostCode: string;
  readonly inDrawn: AreaForms;
  readonly inZones: AreaForms;
  readonly nearPoint: string;
  readonly withText: string;
  /** {a} are things to have: "with lift and terrace". */
  readonly with: string;
  /** Whether rooms are counted behind "with", as Spanish does. */
  readonly areRoomsHad: boolean;
  readonly features: Readonly<Record<Feature, Wish>>;
  readonly furnishings: Readonly<Record<Furnishing, Wish>>;
  readonly conditions: Readonly<Record<Condition, string>>;
  readonly floors: Readonly<Record<FloorBand, string>>;
  /** {a} is one of the classes, or several. */
  readonly energy: string;
  readonly energyClasses: Readonly<Record<EnergyClass, string>>;
  readonly saleSituations: Readonly<Record<SaleSituation, string>>;
  readonly rentalTypes: Readonly<Record<RentalType, string>>;
  readonly admits: Readonly<Record<Tenant, string>>;
  readonly flatmates: Readonly<Record<Flatmates, string>>;
  readonly publishedWithin: Readonly<Record<PublishedWithin, string>>;
  /** {a} are filter words in quotation marks. */
  readonly unknownWords: Forms;
}
