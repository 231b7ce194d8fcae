import { cva } from "class-variance-authority";

/** The look of a button, for links that look like one. Long words wrap inside it, and it grows with them. */
export const buttonVariants = cva(
  "inline-flex shrink-0 cursor-pointer items-center justify-center gap-2 rounded-xl font-semibold transition-[background-color,color,border-color,box-shadow,transform] duration-150 ease-out active:translate-y-px disabled:pointer-events-none disabled:opacity-55 aria-disabled:pointer-events-none aria-disabled:opacity-55 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        lantern: "bg-lantern text-on-lantern hover:bg-lantern-strong shadow-lantern",
        solid: "bg-ink text-background hover:bg-ink/88",
        outline: "border border-strong-line bg-transparent text-ink hover:bg-ink/6",
        ghost: "text-ink hover:bg-ink/7",
        destructive: "bg-tile text-on-tile hover:bg-[color-mix(in_srgb,var(--tile)_90%,black)]",
        danger: "border border-tile bg-transparent text-tile hover:bg-tile/8",
        link: "rounded-sm text-ink underline decoration-ink/35 underline-offset-4 hover:decoration-ink",
        dangerLink: "rounded-sm text-tile underline decoration-tile/45 underline-offset-4 hover:decoration-tile",
      },
      size: {
        md: "min-h-11 px-4 py-1.5 text-md",
        /** Three fit next to each other on a phone, in German and French too. */
        sm: "min-h-11 px-3 py-1.5 text-md sm:px-4",
        lg: "min-h-13 px-4 py-1.5 text-base-lg sm:px-7",
        /** Among the round links of a filter. */
        pill: "min-h-11 rounded-full px-3 py-1.5 text-md",
        /** Shares a bar with another one. */
        bar: "min-h-11 min-w-0 px-3 py-1.5 text-md max-sm:flex-1",
        barLg: "min-h-13 min-w-0 flex-1 px-3 py-1.5 text-base-lg sm:flex-none sm:px-7 sideways:min-h-11",
        icon: "size-11",
        inline: "text-left",
        /** A link of words that is easy to hit. */
        line: "min-h-11 justify-self-start text-left text-md",
      },
    },
    defaultVariants: { variant: "solid", size: "md" },
  },
);
