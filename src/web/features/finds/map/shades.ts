import type { MarketFigure } from "#core/finds/find.ts";
import type { Language } from "#core/languages.ts";
import type { Palette } from "#core/map/palette.ts";
import { formatPrice } from "#text/labels.ts";

export interface Shading {
  readonly shades: ReadonlyMap<string, { readonly color: string; readonly label: string }>;
  /** From the cheapest fifth to the dearest: its colour, and the first and last median in it. */
  readonly steps: readonly { readonly color: string; readonly from: number; readonly to: number }[];
}

const LEAST_SEEN = 5;

/** Zones in fifths by their median price. The figures already leave out what was seen too seldom; we check again. */
export function shadingOf(
  figures: readonly MarketFigure[],
  { palette, language }: { palette: Palette; language: Language },
): Shading {
  const sorted = figures
    .filter(({ seenCount }) => seenCount >= LEAST_SEEN)
    .toSorted((one, other) => one.medianPerM2Eur - other.medianPerM2Eur);
  const colors = palette.prices;
  const stepOf = (index: number) => Math.floor((index * colors.length) / sorted.length);
  const steps = colors.flatMap((color, step) => {
    const inside = sorted.filter((_, index) => stepOf(index) === step);
    const from = inside[0];
    const to = inside.at(-1);
    return from && to ? [{ color, from: from.medianPerM2Eur, to: to.medianPerM2Eur }] : [];
  });
  const shades = new Map(
    sorted.map(({ placeId, medianPerM2Eur, seenCount }, index) => [
      placeId,
      {
        color: colors[stepOf(index)] ?? "",
        label: `${priceOf(medianPerM2Eur, language)} · ${seenCount}`,
      },
    ]),
  );
  return { shades, steps };
}

/** Rents to the cent matter, prices of sales do not. */
export function priceOf(perM2Eur: number, language: Language): string {
  return formatPrice(perM2Eur < 100 ? Math.round(perM2Eur * 10) / 10 : Math.round(perM2Eur), language);
}
