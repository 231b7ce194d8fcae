import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Palette } from "#core/map/palette.ts";
import type { Operation } from "#core/search/search.ts";
import type { Zone } from "#core/zones/city-shapes.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { zoneFiguresQuery } from "../market-figures.ts";
import { TooFewFigures } from "../too-few-figures.tsx";
import { type LackOfPrices, lackOfPrices } from "./lack-of-prices.ts";
import { figuresOnMap, priceOf, type Shading, shadingOf } from "./shades.ts";

interface ZonePrices {
  /** Those with figures. */
  readonly operations: readonly Operation[];
  /** Null while prices are not shown. */
  readonly operation: Operation | null;
  readonly show: (operation: Operation | null) => void;
  readonly shading: Shading | undefined;
  readonly lack: LackOfPrices | undefined;
  /** A zone's figure in words. */
  readonly factOf: (placeId: string | null) => string | undefined;
}

interface Wanted {
  provinceId: string | null;
  /** Those on the map. */
  zones: readonly Zone[];
  operations: readonly Operation[];
  palette: Palette;
}

/** Zones shaded by price. The figures are loaded with the map, because the switch says if there are none. */
export function useZonePrices({ provinceId, zones, operations, palette }: Wanted): ZonePrices {
  const t = useTexts("map");
  const language = useLanguage();
  const [wanted, show] = useState<Operation | null>(null);
  const figures = useQuery({
    ...zoneFiguresQuery(provinceId, operations),
    enabled: provinceId !== null,
  });
  const drawn = useMemo(() => figures.data?.map((each) => figuresOnMap(each, zones)), [figures.data, zones]);
  const figuresOf = (each: Operation) => drawn?.[operations.indexOf(each)];
  const available = operations.filter((each) => (figuresOf(each) ?? []).length > 0);
  const operation = wanted !== null && available.includes(wanted) ? wanted : null;
  const found = operation === null ? undefined : figuresOf(operation);
  const shading = useMemo(() => found && shadingOf(found, { palette, language }), [found, palette, language]);
  return {
    operations: available,
    operation,
    show,
    shading,
    lack: lackOfPrices({
      hasFigures: available.length > 0,
      isAnswered: provinceId === null || figures.data !== undefined,
      isMissing: isMissing(figures),
      isPaused: figures.isPaused,
    }),
    factOf: (placeId) => {
      const figure = found?.find((each) => each.placeId === placeId);
      if (!figure || !shading?.shades.has(figure.placeId)) return undefined;
      return t("seen", { price: priceOf(figure.medianPerM2Eur, language), count: figure.seenCount });
    },
  };
}

const REASON_ID = "map-prices-reason";

export function PriceSwitch({ prices }: { prices: ZonePrices }) {
  const t = useTexts("map");
  const { operations, operation, show, lack } = prices;
  const [first = null] = operations;
  return (
    <div className="night absolute top-3 right-22 left-3 flex flex-wrap gap-1.5">
      <Pill
        isPressed={operation !== null}
        isDisabled={lack !== undefined || first === null}
        onPress={() => show(operation === null ? first : null)}
      >
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

interface PillProps {
  isPressed: boolean;
  /** The reason is written below the map, so the focus can still come here. */
  isDisabled?: boolean;
  onPress(): void;
  children: string;
}

function Pill({ isPressed, isDisabled = false, onPress, children }: PillProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      {...(isDisabled ? { "aria-disabled": true, "aria-describedby": REASON_ID } : { onClick: onPress })}
      className={cn(
        "h-11 rounded-xl border px-3.5 text-sm font-semibold backdrop-blur-sm",
        isDisabled ? "cursor-default border-ink/10 bg-night/75 text-muted" : "cursor-pointer",
        !isDisabled &&
          (isPressed
            ? "border-transparent bg-ink text-night"
            : "border-ink/15 bg-night/75 text-ink hover:bg-night"),
      )}
    >
      {children}
    </button>
  );
}

function Reason({ lack }: { lack: LackOfPrices }) {
  const t = useTexts("map");
  const common = useTexts("common");
  if (lack === "figures") return <TooFewFigures />;
  if (lack === "offline") return common("parts.offline");
  return t("prices.failed");
}

/** What the blues mean, in words and numbers. */
export function PriceLegend({ prices }: { prices: ZonePrices }) {
  const t = useTexts("map");
  const language = useLanguage();
  const { shading, lack } = prices;
  const steps = shading?.steps ?? [];
  return (
    <div aria-live="polite" className="grid gap-2 text-sm empty:hidden">
      {lack !== undefined && (
        <p id={REASON_ID} className="text-muted">
          <Reason lack={lack} />
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
