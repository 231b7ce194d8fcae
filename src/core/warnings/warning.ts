/** Signs to look twice at an advert: never a verdict, always with the reason. */
export const WARNING_KINDS = [
  "far-below-zone",
  "no-photo",
  "seasonal",
  "auction",
  "bare-ownership",
  "occupied",
  "pay-before-viewing",
  "same-text",
] as const;
export type WarningKind = (typeof WARNING_KINDS)[number];

/** What made Sereno look twice. */
export type Warning =
  | {
      readonly kind: "far-below-zone";
      readonly percent: number;
      readonly samples: number;
      readonly place: string;
    }
  | { readonly kind: "no-photo" }
  /** The words of the advert that say so. */
  | {
      readonly kind: "seasonal" | "auction" | "bare-ownership" | "occupied" | "pay-before-viewing";
      readonly words: string;
    }
  /** The same text stands under so many codes, in so many towns. */
  | { readonly kind: "same-text"; readonly codes: number; readonly towns: number };
