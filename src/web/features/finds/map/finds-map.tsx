import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { FindPoint, OwnPlace } from "#core/finds/find.ts";
import { searchedAreaOf } from "#core/map/searched-area.ts";
import { type Sheet, sheetsOf } from "#core/map/sheets.ts";
import type { Operation, Search } from "#core/search/search.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { loadShapes } from "#core/zones/load-shapes.ts";
import { placeNameOf } from "#web/components/map/place-names.ts";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { SheetMap } from "./sheet-map.tsx";

interface FindsMapProps {
  points: readonly FindPoint[];
  searchUrls: readonly string[];
  places: readonly OwnPlace[];
  openHome(listingId: string): void;
}

/** The finds as lit windows of the city. One map a province; no server but ours is asked for any of it. */
export function FindsMap({ points, searchUrls, places, openHome }: FindsMapProps) {
  const t = useTexts("map");
  const searches = useMemo(() => searchUrls.flatMap(searchOf), [searchUrls]);
  const sheets = useMemo(() => {
    const areas = searches.flatMap((search) => searchedAreaOf(search) ?? []);
    return sheetsOf(points, areas);
  }, [points, searches]);
  const [chosenId, setChosenId] = useState<string | null>();
  const sheet = sheets.find(({ provinceId }) => provinceId === chosenId) ?? sheets[0];
  if (!sheet) return <Empty />;
  return (
    <div className="grid gap-3">
      {sheets.length > 1 && (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">{t("sheets")}</legend>
          {sheets.map((each) => (
            <SheetButton
              key={each.provinceId}
              sheet={each}
              isChosen={each === sheet}
              onChoose={() => setChosenId(each.provinceId)}
            />
          ))}
        </fieldset>
      )}
      <LoadedSheet
        key={sheet.provinceId}
        sheet={sheet}
        places={places}
        operations={operationsOf(searches)}
        openHome={openHome}
      />
    </div>
  );
}

function SheetButton({ sheet, isChosen, onChoose }: { sheet: Sheet; isChosen: boolean; onChoose(): void }) {
  const t = useTexts("map");
  const language = useLanguage();
  return (
    <Button variant={isChosen ? "solid" : "outline"} aria-pressed={isChosen} onClick={onChoose}>
      {(sheet.provinceId && placeNameOf(sheet.provinceId)) || t("elsewhere")}
      <span className="figures opacity-75">{sheet.points.length.toLocaleString(language)}</span>
    </Button>
  );
}

interface LoadedSheetProps {
  sheet: Sheet;
  places: readonly OwnPlace[];
  operations: readonly Operation[];
  openHome(listingId: string): void;
}

function LoadedSheet({ sheet, ...props }: LoadedSheetProps) {
  const t = useTexts("map");
  const shapes = useQuery({
    queryKey: queryKeys.zoneShapes(sheet.provinceId),
    queryFn: async () => (await loadShapes(sheet.provinceId ?? "")) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
  });
  if (shapes.isPending) return <Skeleton className="h-[min(70vh,40rem)] rounded-2xl" />;
  if (shapes.isError) {
    return (
      <div
        role="alert"
        className="grid justify-items-start gap-3 rounded-2xl border border-line bg-surface p-6"
      >
        <p>{t("failed")}</p>
        <Button variant="outline" onClick={() => void shapes.refetch()}>
          {t("retry")}
        </Button>
      </div>
    );
  }
  return <SheetMap sheet={sheet} shapes={shapes.data} {...props} />;
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
