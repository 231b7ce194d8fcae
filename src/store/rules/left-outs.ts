import type { Sql } from "postgres";
import type { Rule } from "#core/rules/rule.ts";
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
        select alert.user_id, alert.listing_id, said."searchId", said.rule, alert.payload, ${now}
        from alert join public.listings using (user_id, listing_id)
        cross join jsonb_to_recordset(${jsonOf(db, rows)}) as said ("searchId" uuid, rule jsonb)
        on conflict do nothing
        returning user_id, listing_id, search_id
      )
      update public.listings set search_ids = array(
        select one from unnest(listings.search_ids) as one
        where one not in (select noted.search_id from noted)
      )
      where (user_id, listing_id) in (select user_id, listing_id from noted)`;
  });
}

/** How many homes the search left out since then. */
export async function countLeftOut(sql: Sql, searchId: string, since: Date): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from public.left_outs where search_id = ${searchId} and left_out_at >= ${since}`;
  return row.count;
}
