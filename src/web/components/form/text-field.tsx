import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "../../lib/browser/class-names.ts";
import { inputVariants } from "./input-variants.ts";

interface Labelled {
  label: string;
  /** Help text, replaced by the fault. */
  hint?: string | undefined;
  /** Why the value is not accepted, if it is not. */
  fault?: string | undefined;
  /** The label is only read out: something above says it. */
  isLabelHidden?: boolean;
}

interface Typed {
  value: string;
  onValueChange(value: string): void;
}

export interface FieldProps
  extends Omit<ComponentProps<"input">, "value" | "onChange" | "size">,
    Labelled,
    Typed {
  size?: "sm" | "md" | "lg";
  aside?: ReactNode;
  /** Over the right end of the input. */
  children?: ReactNode;
}

export function TextField(props: FieldProps) {
  const {
    label,
    isLabelHidden = false,
    onValueChange,
    hint,
    fault,
    aside,
    children,
    size,
    className,
    ...input
  } = props;
  const id = useId();
  const note = fault ?? hint;
  return (
    <div className="grid min-w-0 gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label
          htmlFor={id}
          className={cn(isLabelHidden ? "sr-only" : "font-semibold", size === "sm" ? "text-sm" : "text-md")}
        >
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
          className={cn(inputVariants({ size }), className)}
          {...input}
        />
        {children}
      </div>
      <FieldNote id={`${id}-note`} hint={hint} fault={fault} />
    </div>
  );
}

interface TextareaProps extends Omit<ComponentProps<"textarea">, "value" | "onChange">, Labelled, Typed {}

export function Textarea(props: TextareaProps) {
  const { label, isLabelHidden = false, onValueChange, hint, fault, className, ...input } = props;
  const id = useId();
  const note = fault ?? hint;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "text-md font-semibold"}>
        {label}
      </label>
      <textarea
        id={id}
        rows={2}
        onChange={(event) => onValueChange(event.target.value)}
        aria-invalid={fault !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        className={cn(inputVariants({ size: "area" }), className)}
        {...input}
      />
      <FieldNote id={`${id}-note`} hint={hint} fault={fault} />
    </div>
  );
}

function FieldNote({ id, hint, fault }: Omit<Labelled, "label"> & { id: string }) {
  const note = fault ?? hint;
  if (note === undefined) return null;
  return (
    <p
      id={id}
      className={cn("text-sm wrap-anywhere", fault === undefined ? "text-muted" : "font-medium text-tile")}
    >
      {note}
    </p>
  );
}
