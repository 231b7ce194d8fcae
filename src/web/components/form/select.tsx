import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { cn } from "../../lib/browser/class-names.ts";
import { inputVariants } from "./input-variants.ts";

interface SelectProps {
  label: string;
  /** From the address, which changes only when the page is rendered again. */
  value: string;
  /** The label is only read out: a heading above says it. */
  isLabelHidden?: boolean;
  isBusy?: boolean;
  size?: "sm" | "md";
  className?: string;
  onValue(value: string): void;
  children: ReactNode;
}

/** Shows the new choice at once: following the address alone, it would jump back until the page is rendered. */
export function Select(props: SelectProps) {
  const {
    label,
    isLabelHidden = false,
    isBusy = false,
    size = "sm",
    value,
    className,
    onValue,
    children,
  } = props;
  const id = useId();
  const [chosen, setChosen] = useState({ over: value, value });
  if (chosen.over !== value) setChosen({ over: value, value });
  return (
    <div className={cn("grid min-w-0 content-start gap-1.5", className)}>
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "text-sm font-semibold"}>
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={chosen.value}
          aria-busy={isBusy}
          onChange={({ target }) => {
            setChosen({ over: value, value: target.value });
            onValue(target.value);
          }}
          className={cn(inputVariants({ size }), "cursor-pointer appearance-none truncate")}
        >
          {children}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
        />
      </div>
    </div>
  );
}
