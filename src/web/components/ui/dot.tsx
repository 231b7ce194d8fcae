import { cva, type VariantProps } from "class-variance-authority";

const dotVariants = cva("inline-block size-2.5 shrink-0 rounded-full", {
  variants: {
    tone: {
      good: "bg-good",
      bad: "bg-tile",
      lantern: "bg-lantern",
      hollow: "border-2 border-strong-line",
    },
    /** Something is under way. */
    isBreathing: { true: "motion-safe:animate-breathe" },
  },
  defaultVariants: { tone: "hollow" },
});

export type DotTone = NonNullable<VariantProps<typeof dotVariants>["tone"]>;

/** The light beside a state. The words beside it say the same. */
export function Dot(props: VariantProps<typeof dotVariants>) {
  return <span aria-hidden className={dotVariants(props)} />;
}
