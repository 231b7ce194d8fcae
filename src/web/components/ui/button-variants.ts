import { cva } from "class-variance-authority";

/** The look of a button, for links that look like one. */
export const buttonVariants = cva(
  "inline-flex shrink-0 cursor-pointer items-center justify-center gap-2 rounded-xl font-semibold whitespace-nowrap transition-[background-color,color,border-color,box-shadow,transform] duration-150 ease-out active:translate-y-px disabled:pointer-events-none disabled:opacity-55 aria-disabled:pointer-events-none aria-disabled:opacity-55 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        lantern: "bg-lantern text-on-lantern hover:bg-lantern-strong shadow-lantern",
        solid: "bg-ink text-background hover:bg-ink/88",
        outline: "border border-strong-line bg-transparent text-ink hover:bg-ink/6",
        ghost: "text-ink hover:bg-ink/7",
        destructive: "bg-tile text-on-tile hover:bg-[color-mix(in_srgb,var(--tile)_90%,black)]",
        link: "rounded-sm text-ink underline decoration-ink/35 underline-offset-4 hover:decoration-ink",
      },
      size: {
        md: "h-11 px-4 text-[0.9375rem]",
        lg: "h-13 px-7 text-[1.0625rem]",
        icon: "size-11",
        inline: "h-auto p-0",
      },
    },
    defaultVariants: { variant: "solid", size: "md" },
  },
);
