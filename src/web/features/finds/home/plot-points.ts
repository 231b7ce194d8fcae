interface Price {
  readonly seenAt: string;
  readonly priceEur: number;
}

interface Point {
  x: number;
  y: number;
}

/** The prices that differ from the one before, oldest first. */
export function priceChangesOf(prices: readonly Price[]): Price[] {
  return prices.filter(({ priceEur }, index) => index === 0 || prices[index - 1]?.priceEur !== priceEur);
}

/** A step line through the price changes: a price holds until the next one. */
export function stepsOf(
  changes: readonly Price[],
  untilIso: string,
  { width, height }: { width: number; height: number },
): { path: string; dots: Point[]; end: Point } {
  const times = changes.map(({ seenAt }) => Date.parse(seenAt));
  const from = times[0] ?? 0;
  const until = Math.max(Date.parse(untilIso), times.at(-1) ?? 0, from + 1);
  const amounts = changes.map(({ priceEur }) => priceEur);
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  const round = (value: number) => Math.round(value * 10) / 10;
  const dots = changes.map(({ priceEur }, index) => ({
    x: round((((times[index] ?? from) - from) / (until - from)) * width),
    y: round(high === low ? height / 2 : ((high - priceEur) / (high - low)) * height),
  }));
  const end = { x: width, y: dots.at(-1)?.y ?? 0 };
  const path = `M${dots.map(({ x, y }, index) => (index === 0 ? `${x} ${y}` : `H${x}V${y}`)).join("")}H${width}`;
  return { path, dots, end };
}

/** The median, and the percentage of values below `value`. The values must be in ascending order. */
export function zoneStandingOf(
  sorted: readonly number[],
  value: number,
): { median: number; percentBelow: number } {
  const half = sorted.length / 2;
  const [one = 0, other = 0] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  const below = sorted.filter((each) => each < value).length;
  return { median: (one + other) / 2, percentBelow: Math.round((below / Math.max(1, sorted.length)) * 100) };
}
