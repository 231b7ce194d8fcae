import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "./feeds.ts";

/** Data of a source that could not be used, or a request it did not follow. The reason contains nothing of the data. */
export interface SourceDefect {
  readonly kind: "unread-listing" | "filter-not-applied" | "gap";
  readonly reason: string;
  readonly count: number;
}

/** Adds to the counts of all processes. A fixed order avoids deadlock. */
export async function recordDefects(
  db: Db,
  source: FeedRow["source"],
  defects: readonly SourceDefect[],
): Promise<void> {
  if (defects.length === 0) return;
  await db`
    insert into watch.source_defects (source, kind, reason, amount)
    select ${source}, kind, left(reason, 100), sum(count)
    from jsonb_to_recordset(${jsonOf(db, defects)}) as lost (kind text, reason text, count bigint)
    group by kind, left(reason, 100) order by 2, 3
    on conflict (source, kind, reason) do update set amount = source_defects.amount + excluded.amount`;
}
