import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { cn } from "../lib/browser/class-names.ts";
import { inputClasses } from "./text-field.tsx";

interface SelectProps {
  label: string;
  /** From the address, which changes only when the page is rendered again. */
  value: string;
  className?: string;
  onValue(value: string): void;
  children: ReactNode;
}

/** Shows the new choice at once: following the address alone, it would jump back until the page is rendered. */
export function Select({ label, value, className, onValue, children }: SelectProps) {
  const id = useId();
  const [chosen, setChosen] = useState({ over: value, value });
  if (chosen.over !== value) setChosen({ over: value, value });
  return (
    <div className={cn("grid min-w-0 content-start gap-1.5", className)}>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={chosen.value}
          onChange={({ target }) => {
            setChosen({ over: value, value: target.value });
            onValue(target.value);
          }}
          className={cn(
            inputClasses,
            "cursor-pointer appearance-none truncate pr-8! pl-3! text-[0.9375rem]!",
          )}
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
