import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "./feeds.ts";

/** What could not be used of an answer, or was not answered as asked. A reason holds nothing of what was read. */
export interface SourceDefect {
  readonly kind: "unread-listing" | "filter-not-applied" | "gap";
  readonly reason: string;
  readonly count: number;
}

/** Adds to the counts that all processes share; in one order, for whoever else adds at the same time. */
export async function recordDefects(
  db: Db,
  source: FeedRow["source"],
  losses: readonly SourceDefect[],
): Promise<void> {
  if (losses.length === 0) return;
  await db`
    insert into watch.source_defects as held (source, kind, reason, amount)
    select ${source}, kind, left(reason, 100), sum(count)
    from jsonb_to_recordset(${jsonOf(db, losses)}) as lost (kind text, reason text, count bigint)
    group by kind, left(reason, 100) order by 2, 3
    on conflict (source, kind, reason) do update set amount = held.amount + excluded.amount`;
}
