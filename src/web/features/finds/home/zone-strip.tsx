import type { FindDetails } from "#core/finds/find.ts";
import { placeOf, pricePerM2Line } from "#text/home-words.ts";
import { formatPercent } from "#text/labels.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { TooFewFigures } from "../too-few-figures.tsx";
import { zoneStandingOf } from "./plot-points.ts";

const WIDTH = 320;

/** The price per m² of this home among those in its zone: one line each, this one highlighted. */
export function ZoneStrip({ details }: { details: FindDetails }) {
  const t = useTexts("finds");
  const words = useWords("home");
  const { zonePricesPerM2: prices, zoneCount, pricePerM2Eur } = details;
  const [low, high] = [prices[0], prices.at(-1)];
  if (low === undefined || high === undefined || pricePerM2Eur === null)
    return (
      <p className="text-md text-muted">
        <TooFewFigures />
      </p>
    );
  const { median, percentBelow } = zoneStandingOf(prices, pricePerM2Eur);
  const perM2 = (eur: number) => pricePerM2Line({ ...details, pricePerM2Eur: eur, comparison: null }, words);
  const from = Math.min(low, pricePerM2Eur);
  const span = Math.max(high, pricePerM2Eur) - from || 1;
  const at = (eur: number) => Math.round(((eur - from) / span) * WIDTH * 10) / 10;
  const place = details.comparison?.place ?? placeOf(details) ?? "";
  const rows = [
    [t("home.zoneHere"), pricePerM2Eur],
    [t("home.zoneLow"), low],
    [t("home.zoneMedian"), median],
    [t("home.zoneHigh"), high],
  ] as const;
  return (
    <figure className="grid grid-cols-1 gap-1">
      <figcaption className="text-md text-muted">
        {t("home.zoneText", { count: zoneCount, place })}{" "}
        {t("home.zoneRank", { percent: formatPercent(percentBelow, words.language) })}
      </figcaption>
      <svg viewBox={`-6 0 ${WIDTH + 12} 44`} aria-hidden="true" className="w-full overflow-visible text-ink">
        <path
          d={prices.map((eur) => `M${at(eur)} 14V36`).join("")}
          stroke="currentColor"
          strokeWidth="1.2"
          opacity="0.32"
        />
        <path d={`M${at(median)} 8V42`} stroke="currentColor" strokeWidth="2" />
        <path
          d={`M${at(pricePerM2Eur)} 6V42`}
          stroke="var(--lantern)"
          strokeWidth="4"
          strokeLinecap="round"
        />
        <circle cx={at(pricePerM2Eur)} cy="6" r="5.5" fill="var(--lantern)" />
      </svg>
      <p aria-hidden className="figures flex flex-wrap justify-between gap-x-4 text-sm">
        <span>
          <span className="mr-1.5 inline-block size-2.5 rounded-full bg-lantern" />
          {t("home.zoneHere")} <span className="font-semibold">{perM2(pricePerM2Eur)}</span>
        </span>
        <span>
          <span className="mr-1.5 inline-block h-3 w-0.5 bg-ink align-[-1px]" />
          {t("home.zoneMedian")} <span className="font-semibold">{perM2(median)}</span>
        </span>
      </p>
      <table className="sr-only">
        <caption>{t("home.zoneTable")}</caption>
        <tbody>
          {rows.map(([name, eur]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{perM2(eur)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
