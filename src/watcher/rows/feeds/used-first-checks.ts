/** The first checks that were used, and the searches that wait for one. Written by the planner, under the planning lock. */
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "./feeds.ts";

export interface UsedFirstChecks {
  readonly userId: string;
  /** When the account's allowance is complete again. */
  readonly wholeAt: Date;
  /** Its very first one. */
  readonly firstAt: Date;
}

/** By account; those that never had a first check are missing. */
export async function readUsedFirstChecks(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, UsedFirstChecks>> {
  if (userIds.length === 0) return new Map();
  const rows = await db<UsedFirstChecks[]>`
    select user_id as "userId", whole_at as "wholeAt", first_at as "firstAt" from watch.first_checks
    where user_id in (select jsonb_array_elements_text(${jsonOf(db, userIds)})::uuid)`;
  return new Map(rows.map((row) => [row.userId, row]));
}

/** Takes one first check from an account's allowance for each time it is listed. */
export async function spendFirstChecks(
  db: Db,
  userIds: readonly string[],
  { now, everySeconds }: { now: Date; everySeconds: number },
): Promise<void> {
  if (userIds.length === 0) return;
  await db`
    insert into watch.first_checks as existing (user_id, whole_at, first_at)
    select users.id, ${now}::timestamptz + count(*) * ${everySeconds}::float8 * interval '1 second', ${now}
    from jsonb_array_elements_text(${jsonOf(db, userIds)}) as spent (user_id)
    -- Deleted accounts are not counted.
    join auth.users on users.id = spent.user_id::uuid
    group by users.id order by users.id
    on conflict (user_id) do update set
      whole_at = greatest(existing.whole_at, ${now}::timestamptz) + (excluded.whole_at - ${now}::timestamptz)`;
}

export async function readNewcomerChecks(db: Db, source: FeedRow["source"], now: Date): Promise<number> {
  const [row] = await db<{ checks: number }[]>`
    select checks from watch.newcomer_checks
    where source = ${source} and day = date_trunc('month', ${now}::timestamptz at time zone 'utc')::date`;
  return row?.checks ?? 0;
}

export async function countNewcomerChecks(
  db: Db,
  { source, checks }: { source: FeedRow["source"]; checks: number },
  now: Date,
): Promise<void> {
  await db`
    insert into watch.newcomer_checks as existing (source, day, checks)
    values (${source}, date_trunc('month', ${now}::timestamptz at time zone 'utc')::date, ${checks})
    on conflict (source, day) do update set checks = existing.checks + excluded.checks`;
}

export interface WaitingSearch {
  readonly searchId: string;
  readonly userId: string;
  readonly until: Date;
}

/** Of these searches, exactly the given ones are waiting. */
export async function recordWaitingSearches(
  db: Db,
  searchIds: readonly string[],
  waiting: readonly WaitingSearch[],
): Promise<void> {
  const ids = jsonOf(db, searchIds);
  await db`
    delete from watch.waiting_searches
    where search_id in (select jsonb_array_elements_text(${ids})::uuid) and search_id not in (
      select (value ->> 'searchId')::uuid from jsonb_array_elements(${jsonOf(db, waiting)})
    )`;
  if (waiting.length === 0) return;
  await db`
    insert into watch.waiting_searches as existing (search_id, user_id, until)
    select "searchId", users.id, until
    from jsonb_to_recordset(${jsonOf(db, waiting)}) as waits ("searchId" uuid, "userId" uuid, until timestamptz)
    join auth.users on users.id = "userId" order by "searchId"
    on conflict (search_id) do update set until = excluded.until, user_id = excluded.user_id
    where existing.until <> excluded.until`;
}
