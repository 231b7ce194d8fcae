import type { Sql } from "postgres";
import { findPlace } from "#core/places/places.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { measureLatencies, measureStays, replaceMeasuredFigures } from "./rows/measured-figures.ts";

/** Zones that the catalogue does not name are left out. */
export async function refreshMeasuredFigures(sql: Sql, now: Date): Promise<void> {
  await inTransaction(sql, async (db) => {
    await db`set local statement_timeout = '60s'`;
    const latencies = await measureLatencies(db, now);
    const stays = (await measureStays(db, now)).flatMap((stay) => {
      const place = findPlace(stay.place_id)?.name;
      return place === undefined ? [] : [{ ...stay, place }];
    });
    await replaceMeasuredFigures(db, { latencies, stays }, now);
  });
}
