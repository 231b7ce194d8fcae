import type { FoundHome } from "#core/finds/find.ts";
import { formatPercent, formatPrice } from "#text/labels.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { isCheaperNow } from "./state-words.tsx";

export function PriceLine({ find, isLarge = false }: { find: FoundHome; isLarge?: boolean }) {
  const t = useTexts("finds");
  const language = useLanguage();
  const { priceEur, formerPriceEur } = find;
  if (priceEur === null) return <p className="text-lg font-semibold">{t("card.priceUnknown")}</p>;
  const isCut = isCheaperNow(find) && formerPriceEur !== null;
  return (
    <p className="figures flex flex-wrap items-baseline gap-x-3">
      <span
        className={cn(
          "font-bold tracking-tight whitespace-nowrap",
          isLarge ? "text-price leading-tight" : "text-2xl leading-tight",
        )}
      >
        {formatPrice(priceEur, language)}
      </span>
      {isCut && (
        <span className="text-md whitespace-nowrap">
          <span className="sr-only">
            {t("card.formerPrice", { price: formatPrice(formerPriceEur, language) })}
          </span>
          <s aria-hidden className="text-muted">
            {formatPrice(formerPriceEur, language)}
          </s>{" "}
          <span className="font-semibold text-good">
            {t("card.drop", {
              percent: formatPercent(cutPercent(priceEur, formerPriceEur), language),
            })}
          </span>
        </span>
      )}
    </p>
  );
}

function cutPercent(priceEur: number, formerPriceEur: number): number {
  return Math.max(1, Math.round((1 - priceEur / formerPriceEur) * 100));
}
