import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import type { Point } from "#core/geo/polyline.ts";
import { mapModelOf } from "#core/map/map-model.ts";
import { spotAt } from "#core/map/view.ts";
import { zonesOf } from "#core/zones/city-shapes.ts";
import { DRAWN_PROVINCES, loadShapes, provinceNear } from "#core/zones/load-shapes.ts";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import type { MapControl } from "./map-control.ts";
import { MapFrame } from "./map-frame.tsx";
import { placeNameOf } from "./place-names.ts";
import { usePalette } from "./use-palette.ts";

interface PickPlaceProps {
  value: Point | null;
  onPick(point: Point): void;
}

/** Sets a place by tapping it, or by bringing it under the cross. */
export function PickPlace({ value, onPick }: PickPlaceProps) {
  const t = useTexts("map");
  const [provinceId, setProvinceId] = useState(
    () => (value && provinceNear(value)) ?? DRAWN_PROVINCES[0] ?? "",
  );
  return (
    <div className="grid gap-3">
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{t("pick.cities")}</legend>
        {DRAWN_PROVINCES.map((id) => (
          <Button
            key={id}
            variant={id === provinceId ? "solid" : "outline"}
            aria-pressed={id === provinceId}
            onClick={() => setProvinceId(id)}
          >
            {placeNameOf(id)}
          </Button>
        ))}
      </fieldset>
      <CityPicker key={provinceId} provinceId={provinceId} value={value} onPick={onPick} />
      <p className="text-sm text-muted">{t("pick.elsewhere")}</p>
    </div>
  );
}

function CityPicker({ provinceId, value, onPick }: PickPlaceProps & { provinceId: string }) {
  const t = useTexts("map");
  const language = useLanguage();
  const palette = usePalette();
  const controlRef = useRef<MapControl>(null);
  const shapes = useQuery({
    queryKey: queryKeys.zoneShapes(provinceId),
    queryFn: async () => (await loadShapes(provinceId)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
  });
  const [before] = useState(value);
  const model = useMemo(
    () =>
      shapes.data &&
      mapModelOf({ points: [], areas: [], zones: zonesOf(shapes.data), others: before ? [before] : [] }),
    [shapes.data, before],
  );
  const contents = useMemo(
    () =>
      model && {
        model,
        palette,
        places: value ? [{ name: "", spot: model.plane.spotOf(value) }] : [],
        nameOf: placeNameOf,
        language,
      },
    [model, palette, value, language],
  );
  if (shapes.isError) return <p role="alert">{t("failed")}</p>;
  if (!contents) return <Skeleton className="h-80 rounded-2xl" />;
  const setHere = () => controlRef.current && onPick(controlRef.current.middle());
  return (
    <>
      <p className="text-[0.9375rem] text-muted">{t("pick.how")}</p>
      <MapFrame
        contents={contents}
        label={t("pick.label")}
        controlRef={controlRef}
        className="h-[min(58vh,26rem)]"
        onTap={(at, { view, size }) => onPick(contents.model.plane.pointOf(spotAt(view, size, at)))}
        onKey={(key) => {
          if (key !== "Enter") return false;
          setHere();
          return true;
        }}
      >
        <Cross />
      </MapFrame>
      <div className="flex flex-wrap items-center gap-4">
        <Button variant="outline" onClick={setHere}>
          {t("pick.set")}
        </Button>
        <p role="status" className="text-sm text-muted">
          {value && t("pick.isSet")}
        </p>
      </div>
    </>
  );
}

function Cross() {
  return (
    <svg
      viewBox="0 0 40 40"
      aria-hidden
      className="pointer-events-none absolute top-1/2 left-1/2 size-10 -translate-x-1/2 -translate-y-1/2"
    >
      {[
        ["#0b1220", 5],
        ["#ffffff", 2],
      ].map(([stroke, width]) => (
        <path
          key={stroke}
          d="M20 4v11M20 25v11M4 20h11M25 20h11"
          stroke={String(stroke)}
          strokeWidth={width}
          strokeLinecap="round"
          opacity={width === 5 ? 0.6 : 1}
        />
      ))}
    </svg>
  );
}
