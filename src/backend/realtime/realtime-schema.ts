// The database side of realtime: a publication lists the tables, as on hosted Supabase, and a trigger on each of them
// notifies which row changed and who owns it, never its contents. A table is watched if it has a primary key, people may
// read all its columns, and exactly one column, the owner, is a foreign key to auth.users.

import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";

export const CHANGES_CHANNEL = "realtime_changes";

export type WatchedTable = {
  ownerColumn: string;
  columns: { name: string; type: string }[];
  /** Reads the rows of a list of keys ($1, as JSON text) into an object by position in the list, starting at 1. */
  readRows: string;
};

export type WatchedTables = ReadonlyMap<string, WatchedTable>;

export function tableKeyOf({ schema, table }: { schema: unknown; table: unknown }): string {
  return JSON.stringify([schema, table]);
}

/** `current` is the argument of the table's trigger, `wanted` the one it should have; null means no trigger. */
type FoundTable = WatchedTable &
  Record<"schema" | "table" | "name", string> &
  Record<"current" | "wanted", string | null>;

/** Creates and drops triggers to match the publication. Called after migrations, at each start. */
export async function installRealtime(sql: Sql): Promise<WatchedTables> {
  return inTransaction(sql, async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('realtime-schema'))`;
    await transaction`create schema if not exists realtime`;
    await transaction.unsafe(NOTIFY_CHANGE);
    // Earlier versions read rows through these, with the rights of the owner.
    await transaction`
      drop function if exists realtime.policy_columns(oid), realtime.read_as(jsonb, text, jsonb)`;
    await transaction`revoke all on all functions in schema realtime from public`;
    const found = await transaction.unsafe<FoundTable[]>(PUBLISHED_TABLES);
    for (const { name, wanted, current } of found) {
      // Changing a trigger locks its table, so an unchanged one is left alone.
      if (wanted !== current) await transaction.unsafe(triggerStatement(name, wanted));
    }
    return new Map(found.filter(({ wanted }) => wanted).map((table) => [tableKeyOf(table), table]));
  });
}

function triggerStatement(table: string, argument: string | null): string {
  if (argument === null) return `drop trigger realtime_notify_change on ${table}`;
  return `create or replace trigger realtime_notify_change after insert or update or delete on ${table}
    for each row execute function realtime.notify_change('${argument.replaceAll("'", "''")}')`;
}

const PUBLISHED_TABLES = `
select n.nspname as schema, c.relname as table, name, columns, owners[1] as "ownerColumn",
  convert_from(rtrim(t.tgargs, '\\x00'), 'utf8') as current,
  case when p.pubname is not null and has_table_privilege('authenticated', c.oid, 'select')
    and cardinality(owners) = 1 and keys is not null
    then jsonb_build_object('owner', owners[1], 'keys', keys)::text end as wanted,
  format(
    'select jsonb_object_agg(number, to_jsonb(present)) as records
     from jsonb_array_elements($1::text::jsonb) with ordinality as list (key, number)
     cross join lateral jsonb_populate_record(null::%1$s, key) as asked join %1$s as present on %2$s',
    name, same_key) as "readRows"
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
left join pg_publication_tables p
  on p.pubname = 'supabase_realtime' and p.schemaname = n.nspname and p.tablename = c.relname
left join pg_trigger t on t.tgrelid = c.oid and t.tgname = 'realtime_notify_change'
left join pg_index i on i.indrelid = c.oid and i.indisprimary
cross join lateral format('%I.%I', n.nspname, c.relname) as name
cross join lateral (
  select
    jsonb_agg(jsonb_build_object('name', a.attname, 'type', y.typname) order by a.attnum) as columns,
    string_agg(format('present.%1$I = asked.%1$I', a.attname), ' and ') filter (where a.attnum = any (i.indkey)) as same_key,
    array_agg(a.attname order by a.attnum) filter (where a.attnum = any (i.indkey)) as keys,
    array_agg(a.attname) filter (where f.owner is not null) as owners
  from pg_attribute a
  join pg_type y on y.oid = a.atttypid
  left join (
    select distinct conkey[1] as owner from pg_constraint
    where conrelid = c.oid and confrelid = 'auth.users'::regclass and cardinality(conkey) = 1
  ) as f on f.owner = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
) as shape
where c.relkind = 'r' and (p.pubname is not null or t.oid is not null)`;

const NOTIFY_CHANGE = `
create or replace function realtime.notify_change() returns trigger
language plpgsql set search_path = '' as $$
declare
  told constant jsonb := tg_argv[0];
  changed constant jsonb := to_jsonb(coalesce(new, old));
  key constant jsonb := (
    select jsonb_object_agg(name, changed -> name) from jsonb_array_elements_text(told -> 'keys') as name
  );
  data constant jsonb := jsonb_build_object(
    'schema', tg_table_schema, 'table', tg_table_name, 'type', tg_op, 'errors', null,
    'commit_timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  );
  message jsonb := jsonb_build_object('owner', changed -> (told ->> 'owner'), 'key', key::text, 'data', data);
begin
  -- pg_notify fails from 8000 bytes on, and the writer's statement would fail with it.
  if octet_length(message::text) > 7900 then
    message := message - 'key';
  end if;
  perform pg_notify('${CHANGES_CHANNEL}', message::text);
  return null;
end
$$`;
