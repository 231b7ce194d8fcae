import type { MarketFigure } from "#core/finds/find.ts";
import type { Operation } from "#core/search/search.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

export type ZoneFigure = Pick<MarketFigure, "placeId" | "seenCount" | "medianPerM2Eur">;

/** What Sereno saw in a province's zones, all sizes together. */
export async function fetchZoneFigures(provinceId: string, operation: Operation): Promise<ZoneFigure[]> {
  const supabase = await loadSupabase();
  const rows = dataOf(
    await supabase
      .from("market_figures")
      .select("place_id, seen_count, median_per_m2_eur")
      .eq("operation", operation)
      .eq("size_band", "all")
      .like("place_id", `${provinceId}-%`),
  );
  return rows.map((row) => ({
    placeId: row.place_id,
    seenCount: row.seen_count,
    medianPerM2Eur: row.median_per_m2_eur,
  }));
}
