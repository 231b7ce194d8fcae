import { SIZE_BANDS } from "#core/finds/find.ts";
import { OPERATIONS } from "#core/search/search.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { Select } from "../../../components/form/select.tsx";
import type { Town } from "../market-figures.ts";
import type { Choice } from "./use-choice.ts";
import { useSizeName } from "./use-size-name.ts";

interface MarketControlsProps {
  towns: readonly Town[];
  choice: Choice;
  choose(change: Record<string, string>): void;
}

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
