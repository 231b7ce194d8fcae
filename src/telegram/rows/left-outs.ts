import type { Sql } from "postgres";
import type { LeftOutCounts } from "#core/finds/find.ts";
import type { Rule } from "#core/rules/rule-kinds.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { jsonOf } from "#platform/database/json-parameter.ts";

/** Left out before it was sent: a rule was saved, or a fact became known, since the alert was written. */
export async function leaveOutAlert(
  sql: Sql,
  { id, leftOutBy, now }: { id: string; leftOutBy: ReadonlyMap<string, Rule>; now: Date },
): Promise<void> {
  const rows = [...leftOutBy].map(([searchId, rule]) => ({ searchId, rule }));
  await inTransaction(sql, async (db) => {
    await db`
      with alert as (select user_id, listing_id, payload from watch.alerts where id = ${id}), noted as (
        insert into public.left_outs (user_id, listing_id, search_id, rule, payload, left_out_at)
        select alert.user_id, alert.listing_id, decided."searchId", decided.rule, alert.payload, ${now}
        from alert join public.listings using (user_id, listing_id)
        cross join jsonb_to_recordset(${jsonOf(db, rows)}) as decided ("searchId" uuid, rule jsonb)
        on conflict do nothing
        returning user_id, listing_id, search_id
      ), untold as (
        update watch.told set search_ids = array(
          select one from unnest(told.search_ids) as one where one not in (select noted.search_id from noted)
        )
        where (user_id, listing_id) in (select user_id, listing_id from noted)
      )
      update public.listings set search_ids = array(
        select one from unnest(listings.search_ids) as one
        where one not in (select noted.search_id from noted)
      )
      where (user_id, listing_id) in (select user_id, listing_id from noted)`;
  });
}

export async function readLeftOutCounts(sql: Sql, searchId: string, now: Date): Promise<LeftOutCounts> {
  const [row] = await sql<[{ counts: LeftOutCounts }]>`
    select watch.left_out_counts(
      (select user_id from public.searches where id = ${searchId}), ${searchId}, ${now}
    ) as counts`;
  return row.counts;
}
