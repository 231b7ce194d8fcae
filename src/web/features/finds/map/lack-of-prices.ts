/** Why there are no prices to show. */
export type LackOfPrices = "zones" | "figures" | "failed" | "offline";

interface Figures {
  hasZones: boolean;
  hasFigures: boolean;
  isError: boolean;
  isSuccess: boolean;
  isPaused: boolean;
}

/** Nothing is lacking while figures are loading. */
export function lackOfPrices({
  hasZones,
  hasFigures,
  isError,
  isSuccess,
  isPaused,
}: Figures): LackOfPrices | undefined {
  if (!hasZones) return "zones";
  if (hasFigures) return undefined;
  if (isError) return "failed";
  if (isPaused) return "offline";
  return isSuccess ? "figures" : undefined;
}
