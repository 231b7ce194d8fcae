import { ArrowUpRight } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import type { FindPoint, OwnPlace } from "#core/finds/find.ts";
import { mapModelOf } from "#core/map/map-model.ts";
import { type PlaceGroup, placeGroupsOf } from "#core/map/place-groups.ts";
import { boundsOf } from "#core/map/plane.ts";
import { pointOf, type Sheet } from "#core/map/sheets.ts";
import { type Pixel, spotAt } from "#core/map/view.ts";
import type { Operation } from "#core/search/search.ts";
import { type CityShapes, zonesOf } from "#core/zones/city-shapes.ts";
import { zoneAt } from "#core/zones/zone-at.ts";
import { facadeAt } from "#web/components/map/draw-facades.ts";
import type { Scene } from "#web/components/map/draw-map.ts";
import type { MapControl } from "#web/components/map/map-control.ts";
import { MapFrame } from "#web/components/map/map-frame.tsx";
import { openStreetMapUrl } from "#web/components/map/open-street-map.ts";
import { placeNameOf } from "#web/components/map/place-names.ts";
import { usePalette } from "#web/components/map/use-palette.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { MapLegend } from "./map-legend.tsx";
import { PlaceList, ZoneFinds } from "./place-list.tsx";
import { PriceLegend, PriceSwitch, useZonePrices } from "./zone-prices.tsx";

interface SheetMapProps {
  sheet: Sheet;
  shapes: CityShapes | null;
  places: readonly OwnPlace[];
  operations: readonly Operation[];
  openHome(listingId: string): void;
}

interface Opened {
  readonly title: string;
  readonly finds: readonly FindPoint[];
  readonly isByList: boolean;
}

const NO_ZONES: readonly never[] = [];

export function SheetMap({ sheet, shapes, places, operations, openHome }: SheetMapProps) {
  const t = useTexts("map");
  const language = useLanguage();
  const palette = usePalette();
  const controlRef = useRef<MapControl>(null);
  const [lookedAt, setLookedAt] = useState<string | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const zones = shapes ? zonesOf(shapes) : NO_ZONES;
  const model = useMemo(() => mapModelOf({ ...sheet, zones }), [sheet, zones]);
  const groups = useMemo(() => placeGroupsOf(sheet.points, zones), [sheet, zones]);
  const prices = useZonePrices({ provinceId: sheet.provinceId, operations, palette });
  const { shading } = prices;
  const contents = useMemo(
    () => ({
      model,
      palette,
      shades: shading?.shades,
      chosenId: lookedAt,
      places: places.map((place) => ({ name: place.name, spot: model.plane.spotOf(place) })),
      nameOf: placeNameOf,
      language,
    }),
    [model, palette, shading, lookedAt, places, language],
  );
  const name = (sheet.provinceId && placeNameOf(sheet.provinceId)) || t("elsewhere");
  const titleOf = (placeId: string | null) =>
    t("zonesOf", { place: (placeId && placeNameOf(placeId)) || t("unknownZone") });

  const tap = (at: Pixel, scene: Scene) => {
    const finds = facadeAt(scene, at)?.finds;
    if (finds) {
      const [only] = finds;
      if (only && finds.length === 1) return openHome(only.listingId);
      return setOpened({ title: t("count", { count: finds.length }), finds, isByList: false });
    }
    const zone = zoneAt(zones, model.plane.pointOf(spotAt(scene.view, scene.size, at)));
    const group = zone && groups.find(({ placeId }) => placeId === zone.placeId);
    setLookedAt(zone?.placeId ?? null);
    setOpened(group ? { title: titleOf(group.placeId), finds: group.finds, isByList: false } : null);
  };
  const openGroup = (group: PlaceGroup) => {
    setLookedAt(group.placeId);
    setOpened({ title: titleOf(group.placeId), finds: group.finds, isByList: true });
    const zone = model.zones.find(({ placeId }) => placeId === group.placeId);
    const spots = group.finds.flatMap((find) => pointOf(find) ?? []).map(model.plane.spotOf);
    const bounds = zone?.bounds ?? boundsOf(spots);
    if (bounds) controlRef.current?.show(bounds);
  };

  return (
    <div className="grid gap-3 lg:grid-cols-[minmax(0,1fr)_19rem] lg:gap-x-6">
      <div className="grid content-start gap-3">
        <MapFrame
          contents={contents}
          label={t("label", { place: name, count: sheet.points.length })}
          controlRef={controlRef}
          className="h-[min(62vh,34rem)] lg:h-[min(72vh,44rem)]"
          onTap={tap}
        >
          {shapes && <PriceSwitch prices={prices} />}
        </MapFrame>
        {shapes ? <PriceLegend prices={prices} /> : <OpenStreetMapLink url={openStreetMapUrl(model)} />}
        <MapLegend hasArea={sheet.areas.length > 0} hasPlaces={places.length > 0} palette={palette} />
      </div>
      <div className="lg:grid lg:h-[min(72vh,44rem)]">
        {opened ? (
          <ZoneFinds
            title={opened.title}
            finds={opened.finds}
            takesFocus={opened.isByList}
            onBack={() => setOpened(null)}
            onOpen={({ listingId }) => openHome(listingId)}
          />
        ) : (
          <PlaceList
            title={t("zones")}
            groups={groups}
            factOf={(placeId) => prices.factOf(placeId)}
            onLookAt={(group) => setLookedAt(group?.placeId ?? null)}
            onOpen={openGroup}
          />
        )}
      </div>
    </div>
  );
}

function OpenStreetMapLink({ url }: { url: string }) {
  const t = useTexts("map");
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-11 items-center gap-2 justify-self-start font-semibold underline decoration-ink/35 underline-offset-4 hover:decoration-ink"
    >
      {t("openStreetMap")}
      <ArrowUpRight aria-hidden className="size-4" />
    </a>
  );
}
