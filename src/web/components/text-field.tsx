import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "../lib/browser/class-names.ts";

export interface FieldProps extends Omit<ComponentProps<"input">, "value" | "onChange"> {
  label: string;
  value: string;
  onValueChange(value: string): void;
  /** Help text, replaced by the fault. */
  hint?: string;
  /** Why the value is not accepted, if it is not. */
  fault?: string | undefined;
  aside?: ReactNode;
  /** Over the right end of the input. */
  children?: ReactNode;
}

export const inputClasses =
  "h-12 w-full min-w-0 rounded-xl border border-strong-line bg-background px-4 text-base text-ink placeholder:text-muted aria-invalid:border-tile aria-invalid:ring-1 aria-invalid:ring-tile focus-visible:outline-offset-0";

export function TextField({
  label,
  onValueChange,
  hint,
  fault,
  aside,
  children,
  className,
  ...props
}: FieldProps) {
  const id = useId();
  const note = fault ?? hint;
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={id} className="text-[0.9375rem] font-semibold">
          {label}
        </label>
        {aside}
      </div>
      <div className="relative">
        <input
          id={id}
          onChange={(event) => onValueChange(event.target.value)}
          aria-invalid={fault !== undefined}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          className={cn(inputClasses, className)}
          {...props}
        />
        {children}
      </div>
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={cn(
            "text-sm wrap-anywhere",
            fault === undefined ? "text-muted" : "font-medium text-tile",
          )}
        >
          {note}
        </p>
      )}
    </div>
  );
}
