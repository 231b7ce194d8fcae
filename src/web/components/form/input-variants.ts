import { cva } from "class-variance-authority";

/** The look of whatever is typed or chosen in. */
export const inputVariants = cva(
  "w-full min-w-0 rounded-xl border border-strong-line bg-background text-ink placeholder:text-muted aria-invalid:border-tile aria-invalid:ring-1 aria-invalid:ring-tile focus-visible:outline-offset-0",
  {
    variants: {
      size: {
        md: "h-12 px-4 text-base",
        /** Where several fields stand beside a list. */
        sm: "h-12 px-3 text-md",
        /** For a link, which is long. */
        lg: "h-14 px-4 text-base",
        /** Grows with its text. */
        area: "field-sizing-content min-h-20 resize-none px-4 py-3 text-base leading-snug",
      },
    },
    defaultVariants: { size: "md" },
  },
);
