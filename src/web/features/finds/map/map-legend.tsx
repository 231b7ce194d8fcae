import type { ReactNode } from "react";
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
  const [roof, searchedRoof] = [palette.roofs[0], palette.searchedRoofs[0]];
  const small = { x: 7.5, y: 6.75, width: 5, height: 6.5 };
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
      <Sample ground={searchedRoof} words={t("legend.found")}>
        <rect {...small} fill={palette.window} />
      </Sample>
      <Sample ground={searchedRoof} words={t("legend.kept")}>
        <rect x={6.5} y={5.5} width={7} height={9} fill={palette.keptWindow} />
      </Sample>
      <Sample ground={searchedRoof} words={t("legend.gone")}>
        <rect {...small} fill={palette.ember} />
      </Sample>
      {hasApproximate && (
        <Sample ground={searchedRoof} words={t("legend.approximate")}>
          <circle
            cx="10"
            cy="10"
            r="7"
            fill={`rgba(${palette.glow}, 0.12)`}
            stroke={palette.window}
            strokeDasharray="2.5 2"
          />
        </Sample>
      )}
      {hasArea && (
        <Sample ground={roof} words={t("legend.area")}>
          <path d="M4 6l7-3 6 6-3 7-9 1Z" fill={searchedRoof} stroke={palette.outline} strokeWidth="1.6" />
        </Sample>
      )}
      {hasPlaces && (
        <Sample ground={roof} words={t("legend.place")}>
          <path d="M10 17l-4.6-7.2a5.4 5.4 0 1 1 9.2 0Z" fill={palette.place} />
        </Sample>
      )}
    </ul>
  );
}

function Sample({
  ground,
  words,
  children,
}: {
  ground: string | undefined;
  words: string;
  children: ReactNode;
}) {
  return (
    <li className="flex items-center gap-2">
      <svg viewBox="0 0 20 20" aria-hidden className="size-5 rounded" style={{ background: ground }}>
        {children}
      </svg>
      {words}
    </li>
  );
}
