/** Warnings about an advert. They are hints with a reason, never a verdict. */
export const WARNING_KINDS = [
  "far-below-zone",
  "no-photo",
  "seasonal",
  "shared-flat",
  "auction",
  "bare-ownership",
  "occupied",
  "pay-before-viewing",
  "same-text",
] as const;
export type WarningKind = (typeof WARNING_KINDS)[number];

export type Warning =
  | {
      readonly kind: "far-below-zone";
      readonly percent: number;
      readonly samples: number;
      readonly place: string;
    }
  | { readonly kind: "no-photo" }
  /** The words of the advert that caused it. */
  | {
      readonly kind:
        | "seasonal"
        | "shared-flat"
        | "auction"
        | "bare-ownership"
        | "occupied"
        | "pay-before-viewing";
      readonly words: string;
    }
  /** The same text was seen under this many codes, in this many towns. */
  | { readonly kind: "same-text"; readonly codes: number; readonly towns: number };
