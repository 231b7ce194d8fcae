import type { Palette } from "#core/map/palette.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

interface MapLegendProps {
  hasArea: boolean;
  hasPlaces: boolean;
  hasApproximate: boolean;
  palette: Palette;
}

/** What the lights mean, beside lights of the same kind. */
export function MapLegend({ hasArea, hasPlaces, hasApproximate, palette }: MapLegendProps) {
  const t = useTexts("map");
  const roof = palette.searchedRoofs[0];
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
      {(["found", "kept", "gone"] as const).map((state) => (
        <li key={state} className="flex items-center gap-2">
          <svg viewBox="0 0 20 20" aria-hidden className="size-5 rounded" style={{ background: roof }}>
            <rect
              {...(state === "kept"
                ? { x: 6.5, y: 5.5, width: 7, height: 9 }
                : { x: 7.5, y: 6.75, width: 5, height: 6.5 })}
              fill={{ found: palette.window, kept: palette.keptWindow, gone: palette.ember }[state]}
            />
          </svg>
          {t(`legend.${state}`)}
        </li>
      ))}
      {hasApproximate && (
        <li className="flex items-center gap-2">
          <svg viewBox="0 0 20 20" aria-hidden className="size-5 rounded" style={{ background: roof }}>
            <circle
              cx="10"
              cy="10"
              r="7"
              fill={`rgba(${palette.glow}, 0.12)`}
              stroke={palette.window}
              strokeDasharray="2.5 2"
            />
          </svg>
          {t("legend.approximate")}
        </li>
      )}
      {hasArea && (
        <li className="flex items-center gap-2">
          <svg
            viewBox="0 0 20 20"
            aria-hidden
            className="size-5 rounded"
            style={{ background: palette.roofs[0] }}
          >
            <path d="M4 6l7-3 6 6-3 7-9 1Z" fill={roof} stroke={palette.outline} strokeWidth="1.6" />
          </svg>
          {t("legend.area")}
        </li>
      )}
      {hasPlaces && (
        <li className="flex items-center gap-2">
          <svg
            viewBox="0 0 20 20"
            aria-hidden
            className="size-5 rounded"
            style={{ background: palette.roofs[0] }}
          >
            <path d="M10 17l-4.6-7.2a5.4 5.4 0 1 1 9.2 0Z" fill={palette.place} />
          </svg>
          {t("legend.place")}
        </li>
      )}
    </ul>
  );
}
