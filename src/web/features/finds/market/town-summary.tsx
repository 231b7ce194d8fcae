import type { ReactNode } from "react";
import type { MarketFigure } from "#core/finds/find.ts";
import { formatNumber, formatPercent } from "#text/labels.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { TooFewFigures } from "../too-few-figures.tsx";
import { formatPerM2, formatStay, perM2Unit } from "./market-format.ts";

export function TownSummary({ name, figure }: { name: string; figure: MarketFigure | null }) {
  const t = useTexts("market");
  const language = useLanguage();
  if (figure === null)
    return (
      <p className="rounded-2xl border border-dashed border-strong-line px-5 py-6 text-muted">
        <TooFewFigures />
      </p>
    );
  const counted = (count: number) => ({ count, number: formatNumber(count, language) });
  const perM2 = (value: number) => formatPerM2(value, language);
  return (
    <dl className="grid rounded-2xl border border-line bg-surface shadow-card grid-cols-2 *:border-line max-md:*:nth-2:border-r max-md:*:first:col-span-2 max-md:*:first:border-b md:grid-cols-[1.5fr_1fr_1fr] md:*:not-last:border-r">
      <Fact
        term={t("summary.price", { town: name })}
        value={`${perM2(figure.medianPerM2Eur)}${perM2Unit(language)}`}
        isLarge
      >
        {t("summary.spread", {
          low: perM2(figure.lowPerM2Eur),
          high: perM2(figure.highPerM2Eur),
          ...counted(figure.seenCount),
        })}
      </Fact>
      <Fact
        term={t("summary.stay")}
        value={figure.medianDays === null ? t("few") : formatStay(figure.medianDays, language)}
      >
        {figure.medianDays === null ? t("summary.goneFew") : t("summary.gone", counted(figure.goneCount))}
      </Fact>
      <Fact term={t("summary.cuts")} value={formatPercent(figure.cutPercent, language)}>
        {t("summary.ofSeen", counted(figure.seenCount))}
      </Fact>
    </dl>
  );
}

interface FactProps {
  term: string;
  value: string;
  isLarge?: boolean;
  children: ReactNode;
}

function Fact({ term, value, isLarge = false, children }: FactProps) {
  return (
    <div className="grid content-start gap-1 px-5 py-4 md:py-5">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="figures grid gap-1">
        <span
          className={
            isLarge
              ? "text-3xl leading-tight font-bold tracking-tight"
              : "text-2xl leading-tight font-bold tracking-tight"
          }
        >
          {value}
        </span>
        <span className="text-md leading-snug text-muted">{children}</span>
      </dd>
    </div>
  );
}
