import type { Sql } from "postgres";
import { findPlace } from "#core/places/places.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { countMarketFigures, lockMarketFigures, replaceMarketFigures } from "#store/finds/market-figures.ts";

/** Returns the number of rows; undefined if another process is computing them. */
export async function refreshMarketFigures(sql: Sql, now: Date): Promise<number | undefined> {
  return await inTransaction(sql, async (db) => {
    if (!(await lockMarketFigures(db))) return undefined;
    const counted = await countMarketFigures(db, now);
    const named = counted.map((row) => ({
      ...row,
      place_name: findPlace(row.place_id)?.name ?? row.place_name ?? row.place_id,
    }));
    await replaceMarketFigures(db, named);
    return named.length;
  });
}
