import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Palette } from "#core/map/palette.ts";
import type { Operation } from "#core/search/search.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { FIGURES_FRESH_MS, fetchZoneFigures } from "../market-figures.ts";
import { TooFewFigures } from "../too-few-figures.tsx";
import { priceOf, type Shading, shadingOf } from "./shades.ts";

interface ZonePrices {
  readonly operations: readonly Operation[];
  /** Null while prices are not shown. */
  readonly operation: Operation | null;
  readonly show: (operation: Operation | null) => void;
  readonly shading: Shading | undefined;
  readonly isFailed: boolean;
  /** A zone's figure in words. */
  readonly factOf: (placeId: string | null) => string | undefined;
}

interface Wanted {
  provinceId: string | null;
  operations: readonly Operation[];
  palette: Palette;
}

/** Zones shaded by price, asked for only when somebody wants to see it. */
export function useZonePrices({ provinceId, operations, palette }: Wanted): ZonePrices {
  const t = useTexts("map");
  const language = useLanguage();
  const [operation, show] = useState<Operation | null>(null);
  const figures = useQuery({
    queryKey: queryKeys.zoneFigures(provinceId, operation),
    queryFn: () => fetchZoneFigures(provinceId ?? "", operation ?? "rent"),
    enabled: operation !== null && provinceId !== null,
    staleTime: FIGURES_FRESH_MS,
    refetchInterval: FIGURES_FRESH_MS,
  });
  const found = operation === null ? undefined : figures.data;
  const shading = useMemo(() => found && shadingOf(found, { palette, language }), [found, palette, language]);
  return {
    operations,
    operation,
    show,
    shading,
    isFailed: operation !== null && figures.isError,
    factOf: (placeId) => {
      const figure = found?.find((each) => each.placeId === placeId);
      if (!figure || !shading?.shades.has(figure.placeId)) return undefined;
      return t("seen", { price: priceOf(figure.medianPerM2Eur, language), count: figure.seenCount });
    },
  };
}

export function PriceSwitch({ prices }: { prices: ZonePrices }) {
  const t = useTexts("map");
  const { operations, operation, show } = prices;
  const [first = "rent"] = operations;
  return (
    <div className="night absolute top-3 left-3 flex max-w-[calc(100%-5.5rem)] flex-wrap gap-1.5">
      <Pill isPressed={operation !== null} onPress={() => show(operation === null ? first : null)}>
        {t("prices.toggle")}
      </Pill>
      {operation !== null && operations.length > 1 && (
        <fieldset className="flex gap-1.5">
          <legend className="sr-only">{t("prices.operation")}</legend>
          {operations.map((each) => (
            <Pill key={each} isPressed={each === operation} onPress={() => show(each)}>
              {t(`prices.${each}`)}
            </Pill>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function Pill({ isPressed, onPress, children }: { isPressed: boolean; onPress(): void; children: string }) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={onPress}
      className={cn(
        "h-11 cursor-pointer rounded-xl border px-3.5 text-sm font-semibold backdrop-blur-sm",
        isPressed
          ? "border-transparent bg-ink text-night"
          : "border-ink/15 bg-night/75 text-ink hover:bg-night",
      )}
    >
      {children}
    </button>
  );
}

/** What the blues mean, in words and numbers. */
export function PriceLegend({ prices }: { prices: ZonePrices }) {
  const t = useTexts("map");
  const language = useLanguage();
  const { shading, operation, isFailed } = prices;
  if (operation === null) return null;
  const steps = shading?.steps ?? [];
  return (
    <div aria-live="polite" className="grid gap-2 text-sm">
      {isFailed && <p>{t("prices.failed")}</p>}
      {shading && steps.length === 0 && (
        <p>
          <TooFewFigures />
        </p>
      )}
      {steps.length > 0 && (
        <>
          <div aria-hidden className="flex justify-between">
            <span>{t("prices.cheaper")}</span>
            <span>{t("prices.dearer")}</span>
          </div>
          <ul className="flex overflow-hidden rounded-lg">
            {steps.map(({ color, from, to }) => (
              <li key={from} className="grid grow basis-0 gap-1">
                <span aria-hidden className="h-3" style={{ background: color }} />
                <span className="figures text-xs text-muted">
                  {priceOf(from, language)}
                  <span className="max-sm:sr-only"> – {priceOf(to, language)}</span>
                </span>
              </li>
            ))}
          </ul>
          <p className="text-muted">{t("prices.legend")}</p>
        </>
      )}
    </div>
  );
}
