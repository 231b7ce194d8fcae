import type { ComponentProps } from "react";
import { cn } from "../../lib/browser/class-names.ts";

export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return <div aria-hidden className={cn("rounded-lg bg-ink/10 motion-safe:animate-breathe", className)} {...props} />;
}
