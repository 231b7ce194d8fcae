import { useMemo } from "react";
import type { FindPoint, OwnPlace } from "#core/finds/find.ts";
import { searchedAreaOf } from "#core/map/searched-area.ts";
import { provinceIdOf, sheetsOf } from "#core/map/sheets.ts";
import type { Operation, Search } from "#core/search/search.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { loadLand } from "#core/zones/land.ts";
import { loadZones } from "#core/zones/load-shapes.ts";
import { useLand, useZones } from "#web/components/map/use-zones.ts";
import { MissingNotice } from "#web/components/parts/missing-notice.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { MapWithList } from "./map-with-list.tsx";

interface FindsMapProps {
  /** Undefined while loading: code, texts and zones are loaded at the same time. */
  points: readonly FindPoint[] | undefined;
  searchUrls: readonly string[];
  places: readonly OwnPlace[];
  openHome(listingId: string): void;
}

/** The finds as lit windows on a map of Spain. */
export function FindsMap({ points, searchUrls, places, openHome }: FindsMapProps) {
  const t = useTexts("map");
  const searches = useMemo(() => searchUrls.flatMap(searchOf), [searchUrls]);
  const { land, ...ground } = useLand();
  const sheets = useMemo(() => {
    const areas = searches.flatMap((search) => searchedAreaOf(search) ?? []);
    return land && sheetsOf(land, { points: points ?? [], areas });
  }, [land, points, searches]);
  const provinceIds = useMemo(() => (sheets ?? []).flatMap(({ provinceId }) => provinceId ?? []), [sheets]);
  const { zones, isFailed, retry } = useZones(provinceIds);
  if (points && sheets?.length === 0) return <Empty />;
  if (isFailed || ground.isFailed) {
    const onRetry = ground.isFailed ? ground.retry : retry;
    return <MissingNotice message={t("failed")} onRetry={onRetry} />;
  }
  if (!points || !sheets || !zones) return <Skeleton className="h-map rounded-2xl" />;
  return (
    <MapWithList
      sheets={sheets}
      zones={zones}
      places={places}
      operations={operationsOf(searches)}
      openHome={openHome}
    />
  );
}

/** Loads the zones around these homes, so that the map need not wait for them. */
export async function preloadZones(homes: readonly Pick<FindPoint, "placeId">[]): Promise<void> {
  const provinceIds = new Set(homes.flatMap(({ placeId }) => provinceIdOf(placeId) ?? []));
  await Promise.all([loadLand(), ...[...provinceIds].map(loadZones)]);
}

function Empty() {
  const t = useTexts("map");
  return (
    <div className="night grid min-h-72 place-content-center gap-2 rounded-2xl bg-night p-8 text-center">
      <p className="text-lg font-bold">{t("empty.title")}</p>
      <p className="max-w-sm text-muted">{t("empty.text")}</p>
    </div>
  );
}

function searchOf(url: string): Search[] {
  const parsed = parseSearchUrl(url);
  return parsed.ok ? [parsed.search] : [];
}

function operationsOf(searches: readonly Search[]): Operation[] {
  const operations = [...new Set(searches.map(({ operation }) => operation))];
  return operations.length > 0 ? operations : ["rent", "sale"];
}
