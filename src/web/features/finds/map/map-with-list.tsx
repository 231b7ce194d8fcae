import { useDeferredValue, useMemo, useRef, useState } from "react";
import type { FindPoint, OwnPlace } from "#core/finds/find.ts";
import type { Sheet } from "#core/map/sheets.ts";
import type { Operation } from "#core/search/search.ts";
import type { Zone } from "#core/zones/city-shapes.ts";
import { zoneAt } from "#core/zones/zone-at.ts";
import { formatNumber } from "#text/labels.ts";
import type { MapControl, MapTap } from "#web/components/map/map-control.ts";
import { MapFrame } from "#web/components/map/map-frame.tsx";
import { openStreetMapUrl } from "#web/components/map/open-street-map.ts";
import { placeNameOf } from "#web/components/map/place-names.ts";
import { usePalette } from "#web/components/map/use-palette.ts";
import { Button } from "#web/components/ui/button.tsx";
import { OutsideLink } from "#web/components/ui/text-link.tsx";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { MapLegend } from "./map-legend.tsx";
import { PlaceList } from "./place-list.tsx";
import { type PlacedGroup, type PlacedSheet, useSheets } from "./use-sheets.ts";
import { ZoneFinds } from "./zone-finds.tsx";
import { PriceLegend, PriceSwitch, useZonePrices } from "./zone-prices.tsx";

interface MapWithListProps {
  sheets: readonly Sheet[];
  zones: ReadonlyMap<string, readonly Zone[]>;
  places: readonly OwnPlace[];
  operations: readonly Operation[];
  openHome(listingId: string): void;
}

interface Opened {
  readonly title: string;
  readonly finds: readonly FindPoint[];
  readonly isByList: boolean;
}

export function MapWithList({ sheets: given, zones, places, operations, openHome }: MapWithListProps) {
  const t = useTexts("map");
  const palette = usePalette();
  const controlRef = useRef<MapControl>(null);
  const [lookedAt, setLookedAt] = useState<string | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [hasStreets, setHasStreets] = useState(false);
  const { model, sheets, current, inView, outside, onMove } = useSheets(given, zones);
  const prices = useZonePrices({
    provinceId: current?.provinceId ?? null,
    zones: model.zones,
    operations,
    palette,
  });
  const { shading } = prices;
  const contents = useMemo(
    () => ({
      model,
      palette,
      shades: shading?.shades,
      chosenId: lookedAt,
      places: places.map(({ name, latitude, longitude }) => ({ name, point: { latitude, longitude } })),
    }),
    [model, palette, shading, lookedAt, places],
  );
  const titleOf = ({ name: place }: PlacedGroup) => t("zonesOf", { place: place || t("unknownZone") });

  const tap = ({ point, finds }: MapTap) => {
    const [only] = finds;
    if (only && finds.length === 1) return openHome(only.listingId);
    if (only) return setOpened({ title: t("count", { count: finds.length }), finds, isByList: false });
    const zone = zoneAt(model.zones, point);
    const group = zone && [...inView, ...outside].find(({ placeId }) => placeId === zone.placeId);
    setLookedAt(zone?.placeId ?? null);
    setOpened(group ? { title: titleOf(group), finds: group.finds, isByList: false } : null);
  };
  const openGroup = (group: PlacedGroup) => {
    setLookedAt(group.placeId);
    setOpened({ title: titleOf(group), finds: group.finds, isByList: true });
    if (group.box) controlRef.current?.show(group.box);
  };
  const name = nameOf(current) || t("elsewhere");
  // A city has a hundred rows: the map is drawn first, and moves without waiting for them.
  const placeList = useDeferredValue(
    <PlaceList
      inView={inView}
      outside={outside}
      factOf={(placeId) => prices.factOf(placeId)}
      onLookAt={(group) => setLookedAt(group.placeId)}
      onOpen={openGroup}
    />,
    null,
  );

  return (
    <div className="grid gap-3">
      {sheets.length > 1 && (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">{t("sheets")}</legend>
          {sheets.map((sheet) => (
            <SheetButton
              key={sheet.provinceId}
              sheet={sheet}
              isShown={sheet === current}
              onShow={() => controlRef.current?.show(sheet.model.first)}
            />
          ))}
        </fieldset>
      )}
      <div className="grid gap-3 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-x-6">
        <div className="grid content-start gap-3">
          <MapFrame
            contents={contents}
            label={t("label", { place: name, count: current?.points.length ?? 0 })}
            controlRef={controlRef}
            className="h-map"
            onTap={tap}
            onMove={onMove}
            onShowAll={() => controlRef.current?.show((current?.model ?? model).first)}
            onStreets={(streets) => setHasStreets(streets.hasStreets)}
          >
            <PriceSwitch prices={prices} />
          </MapFrame>
          <PriceLegend prices={prices} />
          {!hasStreets && current && <OpenStreetMapLink url={openStreetMapUrl(current.model.first)} />}
          <MapLegend
            hasArea={sheets.some(({ areas }) => areas.length > 0)}
            hasPlaces={places.length > 0}
            hasApproximate={model.finds.some(({ find }) => !find.isAddressShown)}
            palette={palette}
          />
        </div>
        <div className="lg:grid lg:h-map">
          {opened ? (
            <ZoneFinds
              title={opened.title}
              finds={opened.finds}
              takesFocus={opened.isByList}
              onBack={() => setOpened(null)}
              onOpen={({ listingId }) => openHome(listingId)}
            />
          ) : (
            placeList
          )}
        </div>
      </div>
    </div>
  );
}

function nameOf(sheet: PlacedSheet | undefined): string {
  return sheet?.provinceId ? placeNameOf(sheet.provinceId) : "";
}

function SheetButton({ sheet, isShown, onShow }: { sheet: PlacedSheet; isShown: boolean; onShow(): void }) {
  const t = useTexts("map");
  const language = useLanguage();
  return (
    <Button variant={isShown ? "solid" : "outline"} aria-pressed={isShown} onClick={onShow}>
      {nameOf(sheet) || t("elsewhere")}
      <span className="figures opacity-75">{formatNumber(sheet.points.length, language)}</span>
    </Button>
  );
}

function OpenStreetMapLink({ url }: { url: string }) {
  const t = useTexts("map");
  return (
    <OutsideLink size="line" href={url}>
      {t("openStreetMap")}
    </OutsideLink>
  );
}
