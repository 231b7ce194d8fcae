// The database side of realtime: a publication lists the tables, as on hosted Supabase, and triggers on each of them
// notify which rows a statement changed and who owns them, never their contents. A table is watched if it has a primary
// key, people may read all its columns, and exactly one column, the owner, is a foreign key to auth.users.

import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";

export const CHANGES_CHANNEL = "realtime_changes";

export type WatchedTable = {
  ownerColumn: string;
  /** Whether the replica identity has the owner: only then a deletion passes a filter by owner, as on hosted Supabase. */
  isOwnerInOldRow: boolean;
  columns: { name: string; type: string }[];
  /** Reads the rows of a list of keys ($1, as JSON text) into an object by position in the list, starting at 1. */
  readRows: string;
};

export type WatchedTables = ReadonlyMap<string, WatchedTable>;

export function tableKeyOf({ schema, table }: { schema: unknown; table: unknown }): string {
  return JSON.stringify([schema, table]);
}

/** `current` is the argument of the table's triggers, `wanted` the one they should have; null means no triggers. */
type FoundTable = WatchedTable &
  Record<"schema" | "table" | "name", string> &
  Record<"current" | "wanted", string | null>;

/** Creates and drops triggers to match the publication. Called after migrations, at each start. */
export async function installRealtime(sql: Sql): Promise<WatchedTables> {
  return inTransaction(sql, async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('realtime-schema'))`;
    await transaction`create schema if not exists realtime`;
    await transaction.unsafe(notifyFunction("notify_changes"));
    await transaction.unsafe(notifyFunction("notify_updates"));
    await transaction`revoke all on all functions in schema realtime from public`;
    const found = await transaction.unsafe<FoundTable[]>(PUBLISHED_TABLES);
    for (const { name, wanted, current } of found) {
      // Changing a trigger locks its table, so an unchanged one is left alone.
      if (wanted !== current) await transaction.unsafe(triggerStatements(name, wanted));
    }
    return new Map(found.filter(({ wanted }) => wanted).map((table) => [tableKeyOf(table), table]));
  });
}

/** A trigger with a transition table is for one event only. */
const TRIGGERS = [
  { name: "realtime_notify_insert", event: "insert", rows: "new table as changed", act: "notify_changes" },
  {
    name: "realtime_notify_update",
    event: "update",
    rows: "old table as before new table as changed",
    act: "notify_updates",
  },
  { name: "realtime_notify_delete", event: "delete", rows: "old table as changed", act: "notify_changes" },
];
/** In the triggers' argument, so that those of an earlier version are replaced. */
const TRIGGER_VERSION = 2;

function triggerStatements(table: string, argument: string | null): string {
  const statements = TRIGGERS.map(({ name, event, rows, act }) =>
    argument === null
      ? `drop trigger if exists ${name} on ${table}`
      : `create or replace trigger ${name} after ${event} on ${table} referencing ${rows}
          for each statement execute function realtime.${act}('${argument.replaceAll("'", "''")}')`,
  );
  return statements.join(";\n");
}

const PUBLISHED_TABLES = `
select namespace.nspname as schema, relation.relname as table, name, columns, owners[1] as "ownerColumn",
  installed.current,
  case when published.pubname is not null and has_table_privilege('authenticated', relation.oid, 'select')
    and cardinality(owners) = 1 and keys is not null
    then jsonb_build_object('owner', owners[1], 'keys', keys, 'version', ${TRIGGER_VERSION})::text end as wanted,
  case relation.relreplident when 'f' then true when 'd' then owners[1] = any (keys)
    else exists (
      select from pg_index as identity join pg_attribute on attrelid = relation.oid and attnum = any (identity.indkey)
      where identity.indrelid = relation.oid and identity.indisreplident and attname = owners[1]
    ) end as "isOwnerInOldRow",
  format(
    'select jsonb_object_agg(number, to_jsonb(present)) as records
     from jsonb_array_elements($1::text::jsonb) with ordinality as list (key, number)
     cross join lateral jsonb_populate_record(null::%1$s, key) as asked join %1$s as present on %2$s',
    name, same_key) as "readRows"
from pg_class as relation
join pg_namespace as namespace on namespace.oid = relation.relnamespace
left join pg_publication_tables as published
  on published.pubname = 'supabase_realtime' and published.schemaname = namespace.nspname and published.tablename = relation.relname
left join lateral (
  select count(*) as count,
    case when count(*) = ${TRIGGERS.length} then min(convert_from(rtrim(tgargs, '\\x00'), 'utf8')) end as current
  from pg_trigger where tgrelid = relation.oid and tgname in (${TRIGGERS.map(({ name }) => `'${name}'`)})
) as installed on true
left join pg_index as primary_key on primary_key.indrelid = relation.oid and primary_key.indisprimary
cross join lateral format('%I.%I', namespace.nspname, relation.relname) as name
cross join lateral (
  select
    jsonb_agg(jsonb_build_object('name', attribute.attname, 'type', type.typname) order by attribute.attnum) as columns,
    string_agg(format('present.%1$I = asked.%1$I', attribute.attname), ' and ') filter (where attribute.attnum = any (primary_key.indkey)) as same_key,
    array_agg(attribute.attname order by attribute.attnum) filter (where attribute.attnum = any (primary_key.indkey)) as keys,
    array_agg(attribute.attname) filter (where owner_key.owner is not null) as owners
  from pg_attribute as attribute
  join pg_type as type on type.oid = attribute.atttypid
  left join (
    select distinct conkey[1] as owner from pg_constraint
    where conrelid = relation.oid and confrelid = 'auth.users'::regclass and cardinality(conkey) = 1
  ) as owner_key on owner_key.owner = attribute.attnum
  where attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped
) as shape
where relation.relkind = 'r' and (published.pubname is not null or installed.count > 0)`;

/**
 * pg_notify fails from 8000 bytes on, and the writer's statement would fail with it: rows are split over several
 * notifications, and a row whose key is too long is sent without it. Rows keep their order. PostgreSQL lists the rows of
 * an update before and after it in the same order; the old key is sent if it was another one, but never an owner's to
 * the next owner.
 */
function notifyFunction(name: "notify_changes" | "notify_updates"): string {
  const hasOld = name === "notify_updates";
  return `
create or replace function realtime.${name}() returns trigger
language plpgsql set search_path = '' as $$
declare
  told constant jsonb := tg_argv[0];
  data constant jsonb := jsonb_build_object(
    'schema', tg_table_schema, 'table', tg_table_name, 'type', tg_op, 'errors', null,
    'commit_timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  );
begin
  perform pg_notify('${CHANGES_CHANNEL}', jsonb_build_object('data', data, 'rows', jsonb_agg(entry order by number))::text)
  from (
    select entry, number, sum(octet_length(entry::text) + 2) over (order by number) / 4000 as part
    from (select to_jsonb(each) as content, row_number() over () as number from changed as each) as listed
    ${hasOld ? OLD_ROWS : ""}
    cross join lateral (
      select jsonb_object_agg(name, content -> name)::text as key,
        ${hasOld ? "jsonb_object_agg(name, old_content -> name)::text" : "null::text"} as old_key
      from jsonb_array_elements_text(told -> 'keys') as name
    ) as keys
    cross join lateral (
      select jsonb_build_object('owner', content -> (told ->> 'owner'), 'key', key)
        || case when ${hasOld ? OWNER_CHANGED : "false"} then '{"old_key": "{}"}'
          when old_key <> key then jsonb_build_object('old_key', old_key) else '{}' end
    ) as whole (described)
    cross join lateral (
      select case when octet_length(described::text) > 3000 then described - 'key' - 'old_key' else described end
    ) as short (entry)
  ) as parts
  group by part order by part;
  return null;
end
$$`;
}

const OLD_ROWS =
  "join (select to_jsonb(each) as old_content, row_number() over () as number from before as each) as replaced using (number)";
const OWNER_CHANGED = "old_content -> (told ->> 'owner') is distinct from content -> (told ->> 'owner')";
