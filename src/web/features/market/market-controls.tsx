import { ChevronDown } from "lucide-react";
import { type ReactNode, useId } from "react";
import { SIZE_BANDS } from "#core/finds/find.ts";
import { OPERATIONS } from "#core/search/search.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { inputClasses } from "../../components/field.tsx";
import type { Town } from "./market-calls.ts";
import type { Choice } from "./use-choice.ts";
import { useSizeName } from "./use-size-name.ts";

interface MarketControlsProps {
  towns: readonly Town[];
  choice: Choice;
  choose(change: Record<string, string>): void;
}

/** Which town, to rent or to buy, and of which size. */
export function MarketControls({ towns, choice, choose }: MarketControlsProps) {
  const t = useTexts("market");
  const sizeName = useSizeName();
  const collator = new Intl.Collator(useLanguage());
  return (
    <div className="grid grid-cols-[2fr_3fr] items-end gap-3 sm:flex sm:flex-wrap">
      <Select
        label={t("town")}
        className="col-span-2 sm:w-60"
        value={choice.town.placeId}
        onValue={(town) => choose({ town })}
      >
        {towns
          .toSorted((a, b) => collator.compare(a.name, b.name))
          .map(({ placeId, name }) => (
            <option key={placeId} value={placeId}>
              {name}
            </option>
          ))}
      </Select>
      <Select
        label={t("operation.label")}
        className="sm:w-40"
        value={choice.operation}
        onValue={(operation) => choose({ operation })}
      >
        {OPERATIONS.toReversed().map((operation) => (
          <option key={operation} value={operation}>
            {t(`operation.${operation}`)}
          </option>
        ))}
      </Select>
      <Select
        label={t("size.label")}
        className="sm:w-54"
        value={choice.size}
        onValue={(size) => choose({ size })}
      >
        {SIZE_BANDS.map((size) => (
          <option key={size} value={size}>
            {sizeName(size)}
          </option>
        ))}
      </Select>
    </div>
  );
}

interface SelectProps {
  label: string;
  value: string;
  className?: string;
  onValue(value: string): void;
  children: ReactNode;
}

export function Select({ label, value, className, onValue, children }: SelectProps) {
  const id = useId();
  return (
    <div className={cn("grid gap-1", className)}>
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={({ target }) => onValue(target.value)}
          className={cn(inputClasses, "cursor-pointer appearance-none truncate pr-9! pl-3!")}
        >
          {children}
        </select>
        <ChevronDown aria-hidden className="pointer-events-none absolute top-3.5 right-3 size-5 text-muted" />
      </div>
    </div>
  );
}
