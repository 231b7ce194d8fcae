/** Why there are no prices to show. */
export type LackOfPrices = "figures" | "failed" | "offline";

interface Figures {
  hasFigures: boolean;
  isAnswered: boolean;
  isMissing: boolean;
  isPaused: boolean;
}

/** Nothing is lacking while figures are loading. */
export function lackOfPrices({
  hasFigures,
  isAnswered,
  isMissing,
  isPaused,
}: Figures): LackOfPrices | undefined {
  if (hasFigures) return undefined;
  if (isAnswered) return "figures";
  if (isPaused) return "offline";
  return isMissing ? "failed" : undefined;
}
