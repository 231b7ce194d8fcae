import type { Sql } from "postgres";
import { findPlace } from "#core/places/places.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import {
  countMarketFigures,
  lockMarketFigures,
  replaceMarketFigures,
  takeChangedTowns,
} from "#store/finds/market-figures.ts";

/** All figures: homes also leave them by age. Returns the number of rows; undefined if another process is computing them. */
export async function refreshMarketFigures(sql: Sql, now: Date): Promise<number | undefined> {
  return await inTransaction(sql, async (db) => {
    if (!(await lockMarketFigures(db))) return undefined;
    await takeChangedTowns(db);
    return await refresh(db, now);
  });
}

/** The figures of towns whose homes have changed. Returns the number of rows; undefined if another process is computing them. */
export async function refreshChangedTowns(sql: Sql, now: Date): Promise<number | undefined> {
  return await inTransaction(sql, async (db) => {
    if (!(await lockMarketFigures(db))) return undefined;
    const towns = await takeChangedTowns(db);
    return towns.length === 0 ? 0 : await refresh(db, now, towns);
  });
}

async function refresh(db: Db, now: Date, towns?: readonly string[]): Promise<number> {
  const counted = await countMarketFigures(db, now, towns);
  const named = counted.map((row) => ({
    ...row,
    place_name: findPlace(row.place_id)?.name ?? row.place_name ?? row.place_id,
  }));
  await replaceMarketFigures(db, named, towns);
  return named.length;
}
