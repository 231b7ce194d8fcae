import type { Latency } from "#core/figures/measured-figures.ts";
import { durationLabel, formatNumber } from "#text/labels.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { MeasuredRow, MeasuredTable } from "./measured-table.tsx";

export function Latencies({ latencies }: { latencies: readonly Latency[] }) {
  const t = useTexts("measured");
  const language = useLanguage();
  const duration = (seconds: number | null) =>
    seconds === null ? t("tooFew") : durationLabel(seconds, language);
  const columns = [t("latency.median"), t("latency.p95"), t("latency.count")] as const;
  return (
    <MeasuredTable
      id="latency"
      title={t("latency.title")}
      text={t("latency.text")}
      columns={[t("latency.source"), ...columns]}
    >
      {latencies.map(({ source, count, p50_seconds, p95_seconds }) => (
        <MeasuredRow
          key={source}
          name={t(`latency.sources.${source}`)}
          cells={[
            [columns[0], duration(p50_seconds)],
            [columns[1], duration(p95_seconds)],
            [columns[2], formatNumber(count, language)],
          ]}
        />
      ))}
    </MeasuredTable>
  );
}
