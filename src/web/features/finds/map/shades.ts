import type { MarketFigure } from "#core/finds/find.ts";
import type { Language } from "#core/languages.ts";
import type { Palette } from "#core/map/palette.ts";
import type { Zone } from "#core/zones/city-shapes.ts";
import { TOWN_PARTS, townOfPlace } from "#core/zones/towns.ts";
import { formatPrice } from "#text/labels.ts";

export interface Shading {
  readonly shades: ReadonlyMap<string, { readonly color: string; readonly label: string }>;
  /** From the cheapest fifth to the dearest: its colour, and the first and last median in it. */
  readonly steps: readonly { readonly color: string; readonly from: number; readonly to: number }[];
}

const LEAST_SEEN = 5;

/** The figures of what the map draws: of a city with zones those of its zones, elsewhere those of the towns. */
export function figuresOnMap(figures: readonly MarketFigure[], zones: readonly Zone[]): MarketFigure[] {
  const quarters = new Set(zones.flatMap(({ placeId, town }) => (town ? [] : placeId)));
  const cities = new Set([...quarters].flatMap((placeId) => townOfPlace(placeId) ?? []));
  const towns = new Set(zones.flatMap(({ placeId, town }) => (town && !cities.has(placeId) ? placeId : [])));
  return figures.flatMap((figure) => {
    if (quarters.has(figure.placeId)) return figure;
    const townId = figure.placeId.split("-").length === TOWN_PARTS ? townOfPlace(figure.placeId) : null;
    return townId !== null && towns.has(townId) ? { ...figure, placeId: townId } : [];
  });
}

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
