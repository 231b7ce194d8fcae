import type { ComponentProps } from "react";
import { cn } from "../../lib/browser/class-names.ts";

export const inputClasses =
  "h-12 w-full min-w-0 rounded-xl border border-strong-line bg-background px-4 text-base text-ink placeholder:text-muted aria-invalid:border-tile aria-invalid:ring-1 aria-invalid:ring-tile focus-visible:outline-offset-0";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input className={cn(inputClasses, className)} {...props} />;
}
