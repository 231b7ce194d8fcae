import { useMemo } from "react";
import { drawArea } from "#core/map/area-drawing.ts";
import { searchedAreaOf } from "#core/map/searched-area.ts";
import { sheetsOf } from "#core/map/sheets.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { MapSource } from "./map-sources.tsx";
import { placeNameOf } from "./place-names.ts";
import { usePalette } from "./use-palette.ts";
import { useLand, useZones } from "./use-zones.ts";

/** As wide as the wizard. A phone shows its middle: an area is seldom three times as wide as high. */
const SIZE = { width: 1152, height: 192 };

/** Where a link looks: the area somebody drew on the portal, or the zones it names. Nothing where there is nothing to draw. */
export function AreaPicture({ url }: { url: string }) {
  const t = useTexts("map");
  const palette = usePalette();
  const area = useMemo(() => areaOf(url), [url]);
  const { land } = useLand();
  const provinceIds = useMemo(() => {
    const provinceId = area && land && sheetsOf(land, { points: [], areas: [area] })[0]?.provinceId;
    return provinceId ? [provinceId] : [];
  }, [area, land]);
  const { zones } = useZones(provinceIds);
  const near = useMemo(() => zones && [...zones.values()].flat(), [zones]);
  const svg = useMemo(
    () => area && near && land && drawArea({ area, zones: near, land, palette, size: SIZE }),
    [area, near, land, palette],
  );
  if (!area || !near || svg === undefined) return null;
  return (
    <figure className="grid gap-1">
      <img
        src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
        alt={area.placeId === null ? t("area") : t("areaOf", { place: placeNameOf(area.placeId) })}
        width={SIZE.width}
        height={SIZE.height}
        className="h-24 w-full rounded-xl object-cover"
      />
      <figcaption className="flex flex-wrap justify-end gap-x-3">
        <MapSource zones={near} />
      </figcaption>
    </figure>
  );
}

function areaOf(url: string) {
  const parsed = parseSearchUrl(url);
  return parsed.ok ? searchedAreaOf(parsed.search) : undefined;
}
