import type { Stay } from "#core/figures/measured-figures.ts";
import { formatNumber, formatPercent } from "#text/labels.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { MeasuredRow, MeasuredTable } from "./measured-table.tsx";

/** A home that is younger than a week says nothing about a week, so fewer are measured. */
export function Stays({ stays }: { stays: readonly Stay[] }) {
  const t = useTexts("measured");
  const language = useLanguage();
  const share = (percent: number | null) =>
    percent === null ? t("tooFew") : formatPercent(percent, language);
  const columns = [t("stays.day"), t("stays.week"), t("stays.count")] as const;
  return (
    <MeasuredTable
      id="stays"
      title={t("stays.title")}
      text={stays.length === 0 ? `${t("stays.text")} ${t("stays.none")}` : t("stays.text")}
      columns={stays.length === 0 ? [] : [t("stays.place"), ...columns]}
    >
      {stays.map((stay) => (
        <MeasuredRow
          key={`${stay.place_id} ${stay.operation}`}
          name={
            <>
              {stay.place}{" "}
              <span className="block font-normal text-muted">{t(`stays.${stay.operation}`)}</span>
            </>
          }
          cells={[
            [columns[0], share(stay.gone_in_day_percent)],
            [columns[1], share(stay.gone_in_week_percent)],
            [
              columns[2],
              [stay.day_count, stay.week_count].map((count) => formatNumber(count, language)).join(" / "),
            ],
          ]}
        />
      ))}
    </MeasuredTable>
  );
}
