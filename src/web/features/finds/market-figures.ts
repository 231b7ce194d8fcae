import { queryOptions } from "@tanstack/react-query";
import type { MarketFigure } from "#core/finds/find.ts";
import type { Operation } from "#core/search/search.ts";
import { every } from "#web/lib/backend/polling.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { fetchSearches } from "#web/lib/backend/searches.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import type { Tables } from "#web/lib/backend/typed-database.ts";

/** Figures change when a check has found something. */
const FIGURES_FRESH_MS = 60_000;
const FRESH = { staleTime: FIGURES_FRESH_MS, refetchInterval: every(FIGURES_FRESH_MS) };

/** A town that has figures, and how many homes were seen there. */
export interface Town {
  readonly placeId: string;
  readonly name: string;
  readonly seen: Readonly<Partial<Record<Operation, number>>>;
}

/** A zone's id in the portal begins with the id of its town. Towns without an id in the portal have ids of another form. */
const ZONE_IDS = "_-__-__-__-__-___-___-%";

const HAS_ZONES = /^[\w-]+$/;

const COLUMNS =
  "place_id, place_name, operation, size_band, seen_count, median_per_m2_eur, low_per_m2_eur, high_per_m2_eur, median_days, gone_count, cut_percent";

/** Hosted Supabase returns at most this many rows; Madrid, the largest town, has about 800 for an operation. */
const MOST_ROWS = 1000;

export const townsQuery = queryOptions({
  queryKey: queryKeys.marketTowns(),
  queryFn: fetchTowns,
  ...FRESH,
});

async function fetchTowns(): Promise<Town[]> {
  const supabase = await loadSupabase();
  const rows = dataOf(
    await supabase
      .from("market_figures")
      .select("place_id, place_name, operation, seen_count")
      .not("place_id", "like", ZONE_IDS)
      .eq("size_band", "all")
      .order("seen_count", { ascending: false })
      .order("place_id")
      .limit(MOST_ROWS),
  );
  const towns = Map.groupBy(rows, ({ place_id }) => place_id);
  return [...towns].map(([placeId, figures]) => ({
    placeId,
    name: figures[0]?.place_name ?? placeId,
    seen: Object.fromEntries(figures.map(({ operation, seen_count }) => [operation, seen_count])),
  }));
}

export function zoneFiguresQuery(provinceId: string | null, operations: readonly Operation[]) {
  return queryOptions({
    queryKey: queryKeys.zoneFigures(provinceId, operations),
    queryFn: () => Promise.all(operations.map((each) => fetchZoneFigures(provinceId ?? "", each))),
    ...FRESH,
  });
}

/** The zones of a province, all sizes together. */
async function fetchZoneFigures(provinceId: string, operation: Operation): Promise<MarketFigure[]> {
  const supabase = await loadSupabase();
  const figures = supabase.from("market_figures").select(COLUMNS).eq("operation", operation);
  return dataOf(await figures.eq("size_band", "all").like("place_id", `${provinceId}-%`)).map(figureOf);
}

export function figuresQuery(townId: string, operation: Operation) {
  return queryOptions({
    queryKey: queryKeys.market(townId, operation),
    queryFn: () => fetchFigures(townId, operation),
    ...FRESH,
  });
}

/** A town and its zones, in all sizes. */
async function fetchFigures(townId: string, operation: Operation): Promise<MarketFigure[]> {
  const supabase = await loadSupabase();
  const figures = supabase.from("market_figures").select(COLUMNS).eq("operation", operation);
  const inTown = HAS_ZONES.test(townId)
    ? figures.like("place_id", `${townId}%`)
    : figures.eq("place_id", townId);
  const rows = dataOf(await inTown.order("place_id").order("size_band").limit(MOST_ROWS));
  return rows.map(figureOf);
}

function figureOf(row: Omit<Tables<"market_figures">, "prices_per_m2_eur">): MarketFigure {
  return {
    placeId: row.place_id,
    placeName: row.place_name,
    operation: row.operation,
    sizeBand: row.size_band,
    seenCount: row.seen_count,
    medianPerM2Eur: row.median_per_m2_eur,
    lowPerM2Eur: row.low_per_m2_eur,
    highPerM2Eur: row.high_per_m2_eur,
    medianDays: row.median_days,
    goneCount: row.gone_count,
    cutPercent: row.cut_percent,
  };
}

export function ownMarketsQuery(userId: string) {
  return queryOptions({
    queryKey: queryKeys.ownMarkets(userId),
    queryFn: () => fetchOwnMarkets(userId),
    staleTime: FIGURES_FRESH_MS,
    retry: false,
  });
}

/** What a search looks at. */
export interface OwnMarket {
  readonly placeId: string;
  readonly operation: Operation;
}

/** Of the searches that name a place. The page opens at the first. */
async function fetchOwnMarkets(userId: string): Promise<OwnMarket[]> {
  const [searches, { parseSearchUrl }] = await Promise.all([
    fetchSearches(userId),
    import("#core/search/url/parse-search-url.ts"),
  ]);
  return searches.flatMap(({ url }) => {
    const parsed = parseSearchUrl(url);
    if (!parsed.ok || parsed.search.where.type !== "place") return [];
    return [{ placeId: parsed.search.where.placeId, operation: parsed.search.operation }];
  });
}
