import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";
import { cn } from "../../lib/browser/class-names.ts";

const factsVariants = cva("", {
  variants: {
    look: {
      /** Side by side under a line. */
      plain: "grid grid-cols-2 gap-x-4 gap-y-3 border-t border-line pt-3.5",
      /** A table of boxes. */
      boxes:
        "grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line *:bg-surface *:px-3 *:py-2.5 *:last:odd:col-span-full sm:*:px-4",
      /** One per line in a frame. */
      lines: "grid divide-y divide-line rounded-xl border border-line px-4 *:py-2.5",
    },
  },
  defaultVariants: { look: "plain" },
});

interface FactsProps extends VariantProps<typeof factsVariants> {
  className?: string;
  children: ReactNode;
}

/** Names and values, read as pairs. */
export function FactList({ look, className, children }: FactsProps) {
  return <dl className={cn(factsVariants({ look }), className)}>{children}</dl>;
}

interface FactProps {
  name: string;
  className?: string;
  children: ReactNode;
}

export function Fact({ name, className, children }: FactProps) {
  return (
    <div className={cn("grid content-between gap-0.5", className)}>
      <dt className="text-fine leading-tight text-muted">{name}</dt>
      <dd className="figures text-md leading-snug font-semibold hyphens-auto wrap-anywhere">{children}</dd>
    </div>
  );
}
