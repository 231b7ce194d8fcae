/** Signs to look twice at an advert: never a verdict, always with the reason. */
export const SIGN_KINDS = [
  "far-below-zone",
  "no-photo",
  "seasonal",
  "auction",
  "bare-ownership",
  "occupied",
  "pay-before-viewing",
  "same-text",
] as const;
export type SignKind = (typeof SIGN_KINDS)[number];

/** What made Sereno look twice. */
export type Sign =
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
