import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { mapModelOf } from "#core/map/map-model.ts";
import { searchedAreaOf } from "#core/map/searched-area.ts";
import { sheetsOf } from "#core/map/sheets.ts";
import { viewOf } from "#core/map/view.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { zonesOf } from "#core/zones/city-shapes.ts";
import { loadShapes } from "#core/zones/load-shapes.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { drawMap } from "./draw-map.ts";
import { placeNameOf } from "./place-names.ts";
import { usePalette } from "./use-palette.ts";
import { ZonesSource } from "./zones-source.tsx";

/** Where a link looks, drawn: the area somebody drew on the portal, or the zones it names. Nothing where there is nothing to draw. */
export function AreaPicture({ url }: { url: string }) {
  const t = useTexts("map");
  const area = useMemo(() => areaOf(url), [url]);
  const provinceId = area ? (sheetsOf([], [area])[0]?.provinceId ?? "") : "";
  const shapes = useQuery({
    queryKey: queryKeys.zoneShapes(provinceId),
    queryFn: async () => (await loadShapes(provinceId)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
    enabled: area !== undefined,
  });
  const model = useMemo(() => {
    if (!area || shapes.data === undefined) return undefined;
    return mapModelOf({ points: [], areas: [area], zones: shapes.data ? zonesOf(shapes.data) : [] });
  }, [area, shapes.data]);
  // Of a place without zones there would be nothing to see.
  if (!area || !model || (area.rings.length === 0 && model.outline.length === 0)) return null;
  const label = area.placeId === null ? t("area") : t("areaOf", { place: placeNameOf(area.placeId) });
  return (
    <figure className="grid gap-1">
      <Drawing model={model} label={label} />
      {model.zones.length > 0 && (
        <figcaption className="grid">
          <ZonesSource />
        </figcaption>
      )}
    </figure>
  );
}

function Drawing({ model, label }: { model: ReturnType<typeof mapModelOf>; label: string }) {
  const language = useLanguage();
  const palette = usePalette();
  const canvasRef = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return;
    const draw = () => {
      const size = { width: canvas.clientWidth || 1, height: canvas.clientHeight || 1 };
      const ratio = Math.min(3, window.devicePixelRatio || 1);
      canvas.width = size.width * ratio;
      canvas.height = size.height * ratio;
      const context = canvas.getContext("2d");
      context?.scale(ratio, ratio);
      const view = viewOf(model.first, size, 12);
      if (context)
        drawMap(context, { model, palette, view, size, places: [], nameOf: placeNameOf, language });
    };
    const observer = new ResizeObserver(draw);
    observer.observe(canvas);
    return () => observer.disconnect();
  }, [model, palette, language]);
  return <canvas ref={canvasRef} role="img" aria-label={label} className="block h-24 w-full rounded-xl" />;
}

function areaOf(url: string) {
  const parsed = parseSearchUrl(url);
  return parsed.ok ? searchedAreaOf(parsed.search) : undefined;
}
