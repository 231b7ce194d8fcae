/** Small drawings next to the figures they show: hidden from screen readers. */
import type { MarketFigure } from "#core/finds/find.ts";
import { percentOn, type Scales } from "./market-rows.ts";

const WIDTH = 200;
const HEIGHT = 24;
/** Room for the round line ends. */
const INSET = 5;

interface StripProps {
  figure: MarketFigure;
  scale: Scales["price"];
  /** The town's median, as a thin line to compare with. */
  townMedian: number | null;
}

/** From the lower to the upper quartile, the median marked. */
export function PriceStrip({ figure, scale, townMedian }: StripProps) {
  const x = (value: number) => INSET + (percentOn(scale, value) / 100) * (WIDTH - 2 * INSET);
  const [low, median, high] = [figure.lowPerM2Eur, figure.medianPerM2Eur, figure.highPerM2Eur].map(x) as [
    number,
    number,
    number,
  ];
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-6 w-full overflow-visible"
    >
      <path d={`M${INSET} 12H${WIDTH - INSET}`} stroke="var(--line)" {...LINE} strokeWidth="2" />
      {townMedian !== null && (
        <path d={`M${x(townMedian)} 1V23`} stroke="var(--strong-line)" {...LINE} strokeDasharray="2 3" />
      )}
      <path d={`M${low} 12H${high}`} stroke={BLUE} {...LINE} strokeWidth="8" />
      <path d={`M${median} 6V18`} stroke="var(--ink)" {...LINE} strokeWidth="3" />
    </svg>
  );
}

export function Bar({ value, most }: { value: number; most: number }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      className="block h-1 w-full overflow-visible"
    >
      <path d="M1.5 2H98.5" stroke="var(--line)" {...LINE} strokeWidth="4" />
      {value > 0 && (
        <path
          d={`M1.5 2H${1.5 + percentOn({ from: 0, to: most }, value) * 0.97}`}
          stroke={BLUE}
          {...LINE}
          strokeWidth="4"
        />
      )}
    </svg>
  );
}

/** Half transparent, readable in both themes. */
const BLUE = "rgb(84 124 190 / 0.6)";

/** Lines keep their width when the drawing is stretched. */
const LINE = { strokeLinecap: "round", vectorEffect: "non-scaling-stroke", fill: "none" } as const;
