import type { FindDetails } from "#core/finds/find.ts";
import { formatPrice } from "#text/labels.ts";
import { momentHere } from "#web/lib/i18n/moment-here.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { priceChangesOf, stepsOf } from "./plot-points.ts";

const WIDTH = 320;
const HEIGHT = 72;

/** The price over time: a step line with both ends labelled, and a table for screen readers. */
export function PricePlot({ details }: { details: FindDetails }) {
  const t = useTexts("finds");
  const language = useLanguage();
  const changes = priceChangesOf(details.prices);
  const first = changes[0];
  const last = changes.at(-1);
  if (!first || !last) return null;
  const price = (priceEur: number) => formatPrice(priceEur, language);
  if (changes.length === 1)
    return <p className="text-md text-muted">{t("home.priceSteady", { price: price(first.priceEur) })}</p>;
  const until = details.goneAt ?? details.lastSeenAt ?? last.seenAt;
  const steps = stepsOf(changes, until, { width: WIDTH, height: HEIGHT });
  const dateOf = (time: string) => momentHere(new Date(time), language, { day: "numeric", month: "short" });
  return (
    <figure className="grid grid-cols-1 gap-1">
      <figcaption className="text-md text-muted">
        {t("home.priceChanged", { first: price(first.priceEur), last: price(last.priceEur) })}
      </figcaption>
      <svg
        viewBox={`-6 -8 ${WIDTH + 12} ${HEIGHT + 16}`}
        aria-hidden="true"
        className="w-full overflow-visible text-ink"
      >
        <path d={steps.path} fill="none" stroke="currentColor" strokeWidth="2" strokeLinejoin="round" />
        {steps.dots.map(({ x, y }) => (
          <circle key={x} cx={x} cy={y} r="3" fill="currentColor" />
        ))}
        <circle
          cx={steps.end.x}
          cy={steps.end.y}
          r="5.5"
          fill="var(--lantern)"
          stroke="var(--surface)"
          strokeWidth="2"
        />
      </svg>
      <p aria-hidden className="figures flex justify-between gap-4 text-sm">
        <span>
          <span className="text-muted">{dateOf(first.seenAt)}</span>{" "}
          <span className="font-semibold">{price(first.priceEur)}</span>
        </span>
        <span className="text-right">
          <span className="text-muted">{dateOf(last.seenAt)}</span>{" "}
          <span className="font-semibold">{price(last.priceEur)}</span>
        </span>
      </p>
      <table className="sr-only">
        <caption>{t("home.price")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("home.date")}</th>
            <th scope="col">{t("home.amount")}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ seenAt, priceEur }) => (
            <tr key={seenAt}>
              <td>{dateOf(seenAt)}</td>
              <td>{price(priceEur)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
