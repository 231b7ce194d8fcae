import { type ComponentProps, type ReactNode, useId } from "react";
import { Input } from "#web/components/ui/input.tsx";
import { cn } from "#web/lib/browser/class-names.ts";

interface HintedFieldProps extends Omit<ComponentProps<"input">, "value" | "onChange"> {
  label: string;
  hint: string;
  fault: string | undefined;
  value: string;
  onValueChange(value: string): void;
  /** Over the right end of the input. */
  children?: ReactNode;
}

/** A labelled input with a word of help, which gives way to what is wrong. */
export function HintedField({
  label,
  hint,
  fault,
  onValueChange,
  children,
  className,
  ...props
}: HintedFieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[0.9375rem] font-semibold">
        {label}
      </label>
      <div className="relative">
        <Input
          id={id}
          onChange={(event) => onValueChange(event.target.value)}
          aria-invalid={fault !== undefined}
          aria-describedby={hintId}
          className={cn("h-14", className)}
          {...props}
        />
        {children}
      </div>
      <p
        id={hintId}
        className={cn("text-sm wrap-anywhere", fault === undefined ? "text-muted" : "font-medium text-tile")}
      >
        {fault ?? hint}
      </p>
    </div>
  );
}
