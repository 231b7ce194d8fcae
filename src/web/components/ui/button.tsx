import type { VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "../../lib/browser/class-names.ts";
import { buttonVariants } from "./button-variants.ts";

type ButtonProps = ComponentProps<"button"> & VariantProps<typeof buttonVariants> & { asChild?: boolean };

export function Button({ className, variant, size, asChild = false, ...props }: ButtonProps) {
  const Element = asChild ? Slot.Root : "button";
  const type = asChild ? undefined : "button";
  return <Element type={type} className={cn(buttonVariants({ variant, size }), className)} {...props} />;
}
