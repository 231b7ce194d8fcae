import { formatUnit } from "#text/labels.ts";
import { useLanguage } from "#web/lib/i18n/use-texts.ts";

const MOST_PIXELS = 110;

export function ScaleBar({ metresPerPixel }: { metresPerPixel: number }) {
  const language = useLanguage();
  const metres = roundLengthOf(MOST_PIXELS * metresPerPixel);
  const [value, unit] =
    metres >= 1_000 ? ([metres / 1_000, "kilometer"] as const) : ([metres, "meter"] as const);
  return (
    <p className="night figures pointer-events-none absolute bottom-3 left-3 rounded bg-night/65 px-1.5 pt-0.5 pb-1.5 text-[0.6875rem] leading-tight font-semibold">
      {formatUnit(value, unit, language)}
      <span
        aria-hidden
        className="mt-1 block border-x border-b border-ink"
        style={{ width: metres / metresPerPixel, height: 5 }}
      />
    </p>
  );
}

/** The longest round length within the given one: 1, 2 or 5 times a power of ten. */
function roundLengthOf(most: number): number {
  const decade = 10 ** Math.floor(Math.log10(most));
  return ([5, 2, 1].find((step) => step * decade <= most) ?? 1) * decade;
}
