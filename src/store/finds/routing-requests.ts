import type { Sql } from "postgres";
import type { RoutingUse } from "#core/finds/routing-share.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";

/** Counts requests for one person, if `isAllowed` after what was used; every process counts in the same rows. */
export function takeRoutingRequests(
  sql: Sql,
  { userId, requests, now }: { userId: string; requests: number; now: Date },
  isAllowed: (use: RoutingUse) => boolean,
): Promise<boolean> {
  return inTransaction(sql, async (db) => {
    await db`select pg_advisory_xact_lock(hashtextextended('routing requests', 0))`;
    const [use] = await db<RoutingUse[]>`
      select
        coalesce(sum(requests) filter (where user_id = ${userId} and hour = date_trunc('hour', ${now}::timestamptz)), 0)::int
          as "personInHour",
        coalesce(sum(requests) filter (where user_id = ${userId}), 0)::int as "personInDay",
        coalesce(sum(requests) filter (where user_id is null), 0)::int as "allInDay"
      from watch.routing_requests where hour > ${now}::timestamptz - interval '1 day'`;
    if (!use || !isAllowed(use)) return false;
    // A person who deleted the account meanwhile has no row; what was used by all stays counted.
    await db`
      insert into watch.routing_requests (user_id, hour, requests)
      select person, date_trunc('hour', ${now}::timestamptz), ${requests}
      from (select id from auth.users where id = ${userId} union all select null) as counted (person)
      on conflict (user_id, hour) do update set requests = routing_requests.requests + excluded.requests`;
    return true;
  });
}
