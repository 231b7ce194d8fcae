/** Why there are no prices to show. */
export type LackOfPrices = "zones" | "figures" | "failed" | "offline";

interface Figures {
  hasZones: boolean;
  hasFigures: boolean;
  isAnswered: boolean;
  isMissing: boolean;
  isPaused: boolean;
}

/** Nothing is lacking while figures are loading. */
export function lackOfPrices({
  hasZones,
  hasFigures,
  isAnswered,
  isMissing,
  isPaused,
}: Figures): LackOfPrices | undefined {
  if (!hasZones) return "zones";
  if (hasFigures) return undefined;
  if (isAnswered) return "figures";
  if (isPaused) return "offline";
  return isMissing ? "failed" : undefined;
}
