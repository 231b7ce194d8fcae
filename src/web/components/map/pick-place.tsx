import { useMemo, useRef, useState } from "react";
import { boxOf } from "#core/geo/box.ts";
import type { Point } from "#core/geo/polyline.ts";
import { joinedModel, mapModelOf } from "#core/map/map-model.ts";
import { provinceAt } from "#core/zones/land.ts";
import { DRAWN_PROVINCES } from "#core/zones/load-shapes.ts";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import type { MapControl } from "./map-control.ts";
import { MapFrame } from "./map-frame.tsx";
import { placeNameOf } from "./place-names.ts";
import { usePalette } from "./use-palette.ts";
import { useLand, useZones } from "./use-zones.ts";

interface PickPlaceProps {
  value: Point | null;
  onPick(point: Point): void;
}

/** Sets a place by tapping it, or by bringing it under the cross. */
export function PickPlace({ value, onPick }: PickPlaceProps) {
  const t = useTexts("map");
  const palette = usePalette();
  const controlRef = useRef<MapControl>(null);
  const [before] = useState(value);
  const [chosenId, setProvinceId] = useState<string | null>(null);
  const { land } = useLand();
  const provinceId = chosenId ?? (before && land && provinceAt(land, before)) ?? DRAWN_PROVINCES[0];
  const { zones, isFailed } = useZones(DRAWN_PROVINCES);
  const cities = useMemo(
    () =>
      zones &&
      new Map([...zones].map(([id, own]) => [id, mapModelOf({ points: [], areas: [], zones: own })])),
    [zones],
  );
  const model = useMemo(() => {
    const joined = cities && joinedModel([...cities.values()]);
    return joined && { ...joined, first: boxOf(before ? [before] : []) ?? joined.first };
  }, [cities, before]);
  const contents = useMemo(
    () => model && { model, palette, places: value ? [{ name: "", point: value }] : [] },
    [model, palette, value],
  );
  if (isFailed) return <p role="alert">{t("failed")}</p>;
  if (!contents) return <Skeleton className="h-80 rounded-2xl" />;
  const setHere = () => controlRef.current && onPick(controlRef.current.middle());
  const showCity = (id: string) => {
    setProvinceId(id);
    const city = cities?.get(id);
    if (city) controlRef.current?.show(city.first);
  };
  return (
    <div className="grid gap-3">
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{t("pick.cities")}</legend>
        {DRAWN_PROVINCES.map((id) => (
          <Button
            key={id}
            variant={id === provinceId ? "solid" : "outline"}
            aria-pressed={id === provinceId}
            onClick={() => showCity(id)}
          >
            {placeNameOf(id)}
          </Button>
        ))}
      </fieldset>
      <p className="text-md text-muted">{t("pick.how")}</p>
      <MapFrame
        contents={contents}
        label={t("pick.label")}
        controlRef={controlRef}
        className="h-[min(58vh,26rem)]"
        onTap={({ point }) => onPick(point)}
        onShowAll={() => controlRef.current?.show(contents.model.first)}
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
      <p className="text-sm text-muted">{t("pick.elsewhere")}</p>
    </div>
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
