import type { Operation } from "./search.ts";

/** Without figures of the place: common limits in Spain. */
const USUAL: Readonly<Record<Operation, readonly number[]>> = {
  rent: [700, 900, 1_200, 1_500, 2_000, 3_000],
  sale: [150_000, 200_000, 300_000, 400_000, 600_000, 1_000_000],
};
/** The size of a usual home, by which a price per square metre becomes a price. */
const USUAL_M2 = 75;
/** Fewer distinct prices come from figures that cannot be right. */
const FEWEST = 4;
const PARTS = [0.6, 0.8, 1, 1.25, 1.6, 2.2];
const ROUNDING: Readonly<Record<Operation, readonly [below: number, step: number][]>> = {
  rent: [
    [2_000, 50],
    [Number.POSITIVE_INFINITY, 100],
  ],
  sale: [
    [500_000, 10_000],
    [Number.POSITIVE_INFINITY, 50_000],
  ],
};

/** The most to pay, in ascending steps around what homes cost there. */
export function priceSteps(operation: Operation, medianPerM2Eur: number | undefined): readonly number[] {
  if (medianPerM2Eur === undefined || !(medianPerM2Eur > 0)) return USUAL[operation];
  const steps = PARTS.map((part) => rounded(operation, medianPerM2Eur * USUAL_M2 * part));
  const distinct = [...new Set(steps)].filter((step) => step > 0);
  return distinct.length < FEWEST ? USUAL[operation] : distinct;
}

function rounded(operation: Operation, price: number): number {
  const [, step] = ROUNDING[operation].find(([below]) => price < below) ?? [0, 1];
  return Math.round(price / step) * step;
}
