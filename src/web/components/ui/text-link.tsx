import { cva, type VariantProps } from "class-variance-authority";
import { ArrowLeft, ArrowUpRight } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "../../lib/browser/class-names.ts";
import { LocalLink } from "../local-link.tsx";

/** The look of a link. */
export const linkVariants = cva("underline decoration-ink/35 underline-offset-4 hover:decoration-ink", {
  variants: {
    size: {
      /** Within a sentence. */
      inline: "font-semibold text-ink",
      /** On a line of its own, easy to hit. */
      line: "inline-flex min-h-11 items-center gap-2 justify-self-start font-semibold",
    },
  },
  defaultVariants: { size: "inline" },
});

type Look = VariantProps<typeof linkVariants>;

/** A link to one of our pages. */
export function TextLink({ size, className, ...props }: ComponentProps<typeof LocalLink> & Look) {
  return <LocalLink className={cn(linkVariants({ size }), className)} {...props} />;
}

/** Leads up, to the page that this one belongs to. */
export function BackLink({ children, ...props }: ComponentProps<typeof LocalLink>) {
  return (
    <TextLink size="line" {...props}>
      <ArrowLeft aria-hidden className="size-4.5" />
      {children}
    </TextLink>
  );
}

interface OutsideLinkProps extends Look {
  href: string;
  className?: string;
  children?: ReactNode;
}

/** A link to another site, in a new tab; on a line of its own with an arrow. */
export function OutsideLink({ size, className, children, ...props }: OutsideLinkProps) {
  return (
    <a
      target="_blank"
      rel="noopener noreferrer"
      className={cn(linkVariants({ size }), className)}
      {...props}
    >
      {children}
      {size === "line" && <ArrowUpRight aria-hidden className="size-4 shrink-0" />}
    </a>
  );
}
