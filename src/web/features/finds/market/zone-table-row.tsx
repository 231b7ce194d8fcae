import type { ReactNode } from "react";
import type { MarketFigure } from "#core/finds/find.ts";
import { formatNumber, formatPercent } from "#text/labels.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { formatPerM2, formatStay, perM2Unit } from "./market-format.ts";
import { Bar, PriceStrip } from "./market-plots.tsx";
import type { Scales, ZoneRow } from "./market-rows.ts";

interface ZoneTableRowProps {
  row: ZoneRow;
  scales: Scales;
  townMedian: number | null;
}

export function ZoneTableRow({ row, scales, townMedian }: ZoneTableRowProps) {
  const t = useTexts("market");
  const { name, district, figure } = row;
  return (
    <tr className="max-md:grid max-md:grid-cols-2 max-md:gap-x-4 max-md:gap-y-3 max-md:rounded-2xl max-md:border max-md:border-line max-md:bg-surface max-md:p-4">
      <th scope="row" className={cn(CELL, "text-left", figure === null && "max-md:col-span-2")}>
        <span className="block leading-tight font-semibold wrap-anywhere">{name}</span>
        {district !== null && <span className="block text-sm font-normal text-muted">{district}</span>}
      </th>
      {figure === null ? (
        <td colSpan={4} className={cn(CELL, "text-muted max-md:col-span-2")}>
          {t("few")}
        </td>
      ) : (
        <Cells figure={figure} scales={scales} townMedian={townMedian} />
      )}
    </tr>
  );
}

const CELL = "md:border-b md:border-line md:py-3 md:pr-5 align-middle";

interface CellsProps {
  figure: MarketFigure;
  scales: Scales;
  townMedian: number | null;
}

function Cells({ figure, scales, townMedian }: CellsProps) {
  const t = useTexts("market");
  const language = useLanguage();
  const number = (count: number) => formatNumber(count, language);
  const perM2 = (value: number) => formatPerM2(value, language);
  return (
    <>
      <td className={cn(CELL, "figures max-md:col-span-2 max-md:-mt-1")}>
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-lg font-bold max-md:text-2xl">
            {perM2(figure.medianPerM2Eur)}
            <span className="text-sm font-normal text-muted">{perM2Unit(language)}</span>
          </span>
          <span className="text-sm text-muted">
            {`${perM2(figure.lowPerM2Eur)} – ${perM2(figure.highPerM2Eur)}`}
          </span>
        </div>
        <PriceStrip figure={figure} scale={scales.price} townMedian={townMedian} />
      </td>
      <td
        className={cn(CELL, "figures max-md:col-start-2 max-md:row-start-1 max-md:text-right max-md:text-sm")}
      >
        <span className="max-md:hidden">{number(figure.seenCount)}</span>
        <span className="text-muted md:hidden">
          {t("seen", { count: figure.seenCount, number: number(figure.seenCount) })}
        </span>
      </td>
      <td className={cn(CELL, "figures")}>
        <Labelled label={t("columns.days")}>
          {figure.medianDays === null ? (
            <span className="text-md text-muted">{t("few")}</span>
          ) : (
            <>
              {formatStay(figure.medianDays, language)}{" "}
              <span className="text-sm text-muted">
                {t("ofGone", { count: figure.goneCount, number: number(figure.goneCount) })}
              </span>
              <Bar value={figure.medianDays} most={scales.mostDays} />
            </>
          )}
        </Labelled>
      </td>
      <td className={cn(CELL, "figures md:pr-0")}>
        <Labelled label={t("columns.cuts")}>
          {formatPercent(figure.cutPercent, language)}
          {figure.cutPercent > 0 && <Bar value={figure.cutPercent} most={scales.mostCuts} />}
        </Labelled>
      </td>
    </>
  );
}

/** Labels the value on a phone, where there are no column headings. */
function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <span className="block text-sm text-muted md:hidden">{label}</span>
      {children}
    </>
  );
}
