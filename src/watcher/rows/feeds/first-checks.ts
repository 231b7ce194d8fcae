/** The first checks that were used, and the searches that wait for one. Written by the planner, under the planning lock. */
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "./feeds.ts";

export interface FirstCheckPayer {
  readonly kind: "person" | "chat" | "address";
  /** Unique across all kinds. */
  readonly id: string;
  /** When the allowance is complete again; null if it was never used. */
  readonly wholeAt: Date | null;
  /** The person's very first one. */
  readonly firstAt: Date | null;
  /** A person with a Telegram identity and no known network address: the account has only been used in Telegram. */
  readonly isOnlyInChat: boolean;
}

/** By search: the person, the connected chats it names, and the network addresses of the account. */
export async function readFirstCheckPayers(
  db: Db,
  searchIds: readonly string[],
): Promise<Map<string, FirstCheckPayer[]>> {
  if (searchIds.length === 0) return new Map();
  const rows = await db<(FirstCheckPayer & { searchId: string })[]>`
    with asked as (
      select id, user_id, receiver_ids from public.searches
      where id in (select jsonb_array_elements_text(${jsonOf(db, searchIds)})::uuid)
    )
    select asked.id as "searchId", 'person' as kind, 'person ' || asked.user_id as id,
      had.whole_at as "wholeAt", had.first_at as "firstAt",
      exists (select from watch.telegram_identities as own where own.user_id = asked.user_id)
        and not exists (select from private.known_addresses as known where known.user_id = asked.user_id) as "isOnlyInChat"
    from asked left join watch.first_checks as had on had.user_id = asked.user_id
    union all
    select asked.id, 'chat', 'chat ' || chats.chat_id, had.whole_at, null, false
    from asked
    join public.chats on chats.user_id = asked.user_id and chats.state = 'connected'
      and chats.chat_id::text = any (asked.receiver_ids)
    left join watch.first_checks as had on had.chat_id = chats.chat_id
    union all
    select asked.id, 'address', 'address ' || encode(known.address_hash, 'hex'), had.whole_at, null, false
    from asked
    join private.known_addresses as known on known.user_id = asked.user_id
    left join watch.first_checks as had on had.address_hash = known.address_hash`;
  return Map.groupBy(rows, ({ searchId }) => searchId);
}

/** Takes one first check from a payer's allowance for each time it is listed. */
export async function spendFirstChecks(
  db: Db,
  payers: readonly (FirstCheckPayer & { readonly everySeconds: number })[],
  now: Date,
): Promise<void> {
  if (payers.length === 0) return;
  const spent = payers.map(({ kind, id, everySeconds }) => ({
    kind,
    key: id.slice(kind.length + 1),
    everySeconds,
  }));
  await db`
    insert into watch.first_checks as had (user_id, chat_id, address_hash, whole_at, first_at)
    select users.id, chats.chat_id, address_hash, ${now}::timestamptz + seconds * interval '1 second', ${now}
    from (
      select case when kind = 'person' then key::uuid end as user_id, case when kind = 'chat' then key::bigint end as chat_id,
        case when kind = 'address' then decode(key, 'hex') end as address_hash, sum("everySeconds") as seconds
      from jsonb_to_recordset(${jsonOf(db, spent)}) as spent (kind text, key text, "everySeconds" float8) group by 1, 2, 3
    ) as paid
    left join auth.users on users.id = paid.user_id
    left join watch.chats on chats.chat_id = paid.chat_id
    -- Deleted accounts and chats are not counted.
    where num_nonnulls(users.id, chats.chat_id, address_hash) = 1
    order by users.id, chats.chat_id, address_hash
    on conflict (user_id, chat_id, address_hash) do update set
      whole_at = greatest(had.whole_at, ${now}::timestamptz) + (excluded.whole_at - ${now}::timestamptz)`;
}

type Source = FeedRow["source"];

export interface NewcomerChecks {
  readonly checksToday: number;
  readonly checksThisMonth: number;
  /** Those of accounts that have only been used in Telegram, included in the above. */
  readonly chatChecksToday: number;
  readonly chatChecksThisMonth: number;
}

export async function readNewcomerChecks(db: Db, source: Source, now: Date): Promise<NewcomerChecks> {
  const [row] = await db<[NewcomerChecks]>`
    select coalesce(sum(checks), 0)::int as "checksThisMonth",
      coalesce(sum(checks) filter (where counted.day = today.day), 0)::int as "checksToday",
      coalesce(sum(chat_checks), 0)::int as "chatChecksThisMonth",
      coalesce(sum(chat_checks) filter (where counted.day = today.day), 0)::int as "chatChecksToday"
    from (select (${now}::timestamptz at time zone 'utc')::date as day) as today
    left join watch.newcomer_checks as counted on counted.source = ${source}
      and counted.day >= date_trunc('month', today.day)
      and counted.day < date_trunc('month', today.day) + interval '1 month'`;
  return row;
}

export async function countNewcomerChecks(
  db: Db,
  { source, checks, chatChecks }: { source: Source; checks: number; chatChecks: number },
  now: Date,
): Promise<void> {
  await db`
    insert into watch.newcomer_checks as held (source, day, checks, chat_checks)
    values (${source}, (${now}::timestamptz at time zone 'utc')::date, ${checks}, ${chatChecks})
    on conflict (source, day) do update set
      checks = held.checks + excluded.checks, chat_checks = held.chat_checks + excluded.chat_checks`;
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
    insert into watch.waiting_searches as held (search_id, user_id, until)
    select "searchId", users.id, until
    from jsonb_to_recordset(${jsonOf(db, waiting)}) as waits ("searchId" uuid, "userId" uuid, until timestamptz)
    join auth.users on users.id = "userId" order by "searchId"
    on conflict (search_id) do update set until = excluded.until, user_id = excluded.user_id
    where held.until <> excluded.until`;
}
