import { type ComponentProps, type ReactNode, useId } from "react";
import { Input } from "./ui/input.tsx";

export interface FieldProps extends Omit<ComponentProps<"input">, "value" | "onChange"> {
  label: string;
  value: string;
  onValueChange(value: string): void;
  /** What is wrong with it, if anything. */
  fault?: string | undefined;
  /** Beside the label. */
  aside?: ReactNode;
  /** Over the right end of the input. */
  children?: ReactNode;
}

/** A labelled input that says itself what is wrong with it. */
export function Field({ label, value, onValueChange, fault, aside, children, ...props }: FieldProps) {
  const id = useId();
  const faultId = `${id}-fault`;
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={id} className="text-[0.9375rem] font-semibold">
          {label}
        </label>
        {aside}
      </div>
      <div className="relative">
        <Input
          id={id}
          value={value}
          onChange={(event) => onValueChange(event.target.value)}
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : faultId}
          {...props}
        />
        {children}
      </div>
      {fault !== undefined && (
        <p id={faultId} className="text-sm font-medium text-tile">
          {fault}
        </p>
      )}
    </div>
  );
}
