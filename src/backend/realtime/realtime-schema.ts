// The database's half of realtime: a publication that lists the tables, as on hosted Supabase, and a trigger on each
// that tells by NOTIFY which row changed and whose it is, never what is in it. A table is watched if people may read its
// primary key and one column of it names an account: its owner, by a foreign key to auth.users.
import type { Sql } from "postgres";

export const CHANGES_CHANNEL = "realtime_changes";

export type WatchedTable = {
  ownerColumn: string;
  /** Those people may read. */
  columns: { name: string; type: string }[];
  /** Reads the rows of a list of keys ($1) into an object, by their number in the list, from 1. */
  readRows: string;
};

export type WatchedTables = ReadonlyMap<string, WatchedTable>;

export function tableKeyOf({ schema, table }: { schema: string; table: string }): string {
  return JSON.stringify([schema, table]);
}

type FoundTable = WatchedTable & {
  schema: string;
  table: string;
  name: string;
  /** The argument its trigger should have; null for a table that is not watched. */
  wanted: string | null;
  current: string | null;
};

/** Brings the triggers in step with the publication. Call after migrations, at each start. */
export async function installRealtime(sql: Sql): Promise<WatchedTables> {
  return sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('realtime-schema'))`;
    await transaction`set local client_min_messages = error`;
    await transaction`create schema if not exists realtime`;
    await transaction.unsafe(NOTIFY_CHANGE);
    await transaction.unsafe(READ_AS);
    await transaction`drop function if exists realtime.policy_columns(oid)`;
    await transaction`revoke all on all functions in schema realtime from public`;
    const found = await transaction.unsafe<FoundTable[]>(PUBLISHED_TABLES);
    for (const { name, wanted, current } of found) {
      // Touching a trigger locks its table.
      if (wanted !== current) await transaction.unsafe(triggerStatement(name, wanted));
    }
    const watched = found.filter(({ wanted }) => wanted !== null);
    return new Map(watched.map((table) => [tableKeyOf(table), table]));
  });
}

function triggerStatement(table: string, argument: string | null): string {
  if (argument === null) return `drop trigger realtime_notify_change on ${table}`;
  return `create or replace trigger realtime_notify_change after insert or update or delete on ${table}
    for each row execute function realtime.notify_change('${argument.replaceAll("'", "''")}')`;
}

const PUBLISHED_TABLES = `
select n.nspname as schema, c.relname as table, named.name, shape.columns, owners[1] as "ownerColumn",
  case when p.pubname is not null and cardinality(owners) = 1 and is_key_readable
    then jsonb_build_object('owner', owners[1], 'keys', keys)::text end as wanted,
  convert_from(rtrim(t.tgargs, '\\x00'), 'utf8') as current,
  format(
    'select jsonb_object_agg(number, (select to_jsonb(picked) from (select %1$s) as picked))
     from jsonb_array_elements($1) with ordinality as list (key, number)
     cross join lateral jsonb_populate_record(null::%2$s, key) as asked join %2$s as present on %3$s',
    shape.selected, named.name, shape.same_key) as "readRows"
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
left join pg_publication_tables p
  on p.pubname = 'supabase_realtime' and p.schemaname = n.nspname and p.tablename = c.relname
left join pg_trigger t on t.tgrelid = c.oid and t.tgname = 'realtime_notify_change'
cross join lateral format('%I.%I', n.nspname, c.relname) as named (name)
cross join lateral (
  select
    jsonb_agg(jsonb_build_object('name', attname, 'type', typname) order by attnum) filter (where is_readable) as columns,
    string_agg(format('present.%I', attname), ', ' order by attnum) filter (where is_readable) as selected,
    string_agg(format('present.%1$I = asked.%1$I', attname), ' and ') filter (where is_key) as same_key,
    array_agg(attname order by attnum) filter (where is_key) as keys,
    bool_and(is_readable) filter (where is_key) as is_key_readable,
    array_agg(attname) filter (where is_owner) as owners
  from (
    select a.attname, a.attnum, y.typname, coalesce(a.attnum = any (i.indkey), false) as is_key,
      has_column_privilege('authenticated', c.oid, a.attnum, 'select') as is_readable,
      exists (
        select from pg_constraint f
        where f.conrelid = c.oid and f.confrelid = 'auth.users'::regclass and f.conkey = array[a.attnum]
      ) as is_owner
    from pg_attribute a join pg_type y on y.oid = a.atttypid
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ) as attributes
) as shape
where c.relkind = 'r' and (p.pubname is not null or t.oid is not null)`;

const NOTIFY_CHANGE = `
create or replace function realtime.notify_change() returns trigger
language plpgsql set search_path = '' as $$
declare
  told constant jsonb := tg_argv[0];
  row_now constant jsonb := coalesce(to_jsonb(new), to_jsonb(old));
  row_before constant jsonb := to_jsonb(old);
  owner constant text := row_now ->> (told ->> 'owner');
  data constant jsonb := jsonb_build_object('schema', tg_table_schema, 'table', tg_table_name, 'type', tg_op, 'errors', null,
    'commit_timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  key jsonb;
  key_before jsonb;
  message text;
begin
  select jsonb_object_agg(name, row_now -> name), jsonb_object_agg(name, row_before -> name)
    into key, key_before from jsonb_array_elements_text(told -> 'keys') as name;
  -- Who gets a row from another is not told the key it had.
  if row_before ->> (told ->> 'owner') <> owner then
    key_before := '{}';
  end if;
  message := jsonb_build_object('owner', owner, 'key', case when tg_op <> 'DELETE' then key::text end,
    'data', data || case when tg_op <> 'INSERT' then jsonb_build_object('old_record', key_before) else '{}' end);
  -- pg_notify refuses 8000 bytes and more, which would undo the writer's own statement.
  if octet_length(message) > 7900 then
    message := jsonb_build_object('owner', owner, 'isKeyTooLong', true, 'data', data);
  end if;
  perform pg_notify('${CHANGES_CHANNEL}', message);
  return null;
end
$$`;

// One call and so one transaction, with the settings PostgREST makes.
const READ_AS = `
create or replace function realtime.read_as(claims jsonb, question text, keys jsonb, out answer jsonb)
language plpgsql as $$
begin
  perform
    set_config('transaction_read_only', 'on', true),
    set_config('request.jwt.claims', claims::text, true),
    set_config('request.jwt.claim.sub', claims ->> 'sub', true),
    set_config('request.jwt.claim.role', claims ->> 'role', true),
    set_config('role', claims ->> 'role', true);
  execute question into answer using keys;
end
$$`;
