// The database's half: a publication that lists the tables, as on hosted Supabase, and a trigger on each that
// tells of changed rows by NOTIFY. A notification may hold 8000 bytes, so it carries the key and the columns the
// table's read policies look at; with those a deleted row can still be checked against the policies.
import type { Sql } from "postgres";

export const publicationName = "supabase_realtime";
export const notificationChannel = "realtime_changes";

const triggerName = "realtime_notify_change";

/** Creates what migrations refer to, and the triggers' functions. Calling again changes nothing. */
export async function ensureRealtimeSchema(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('realtime-schema'))`;
    await transaction`set local client_min_messages = error`;
    const [found] = await transaction`select 1 from pg_publication where pubname = ${publicationName}`;
    if (!found) await transaction.unsafe(`create publication ${publicationName}`);
    await transaction`create schema if not exists realtime`;
    await transaction.unsafe(policyColumnsFunction);
    await transaction.unsafe(notifyFunction);
    await transaction`revoke all on all functions in schema realtime from public`;
  });
}

export type InstalledTriggers = {
  watched: string[];
  /** Published tables that cannot be watched: without a primary key a row cannot be found again. */
  withoutKey: string[];
};

/** Brings the triggers in step with the publication and the policies. Call after migrations, at each start. */
export async function installRealtimeTriggers(sql: Sql): Promise<InstalledTriggers> {
  await ensureRealtimeSchema(sql);
  return sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('realtime-schema'))`;
    const tables = await transaction<PublishedTable[]>`
      select
        format('%I.%I', n.nspname, c.relname) as name,
        (
          select array_agg(a.attname::text order by a.attnum)
          from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
          where i.indrelid = c.oid and i.indisprimary
        ) as key_columns,
        realtime.policy_columns(c.oid) as policy_columns,
        exists (
          select from pg_publication_tables p
          where p.pubname = ${publicationName} and p.schemaname = n.nspname and p.tablename = c.relname
        ) as is_published,
        (
          select encode(t.tgargs, 'escape') from pg_trigger t
          where t.tgrelid = c.oid and t.tgname = ${triggerName}
        ) as current_arguments
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
      order by 1`;
    const installed: InstalledTriggers = { watched: [], withoutKey: [] };
    for (const table of tables) {
      const statement = triggerStatementFor(table);
      if (statement) await transaction.unsafe(statement);
      if (table.is_published) (table.key_columns ? installed.watched : installed.withoutKey).push(table.name);
    }
    return installed;
  });
}

type PublishedTable = {
  name: string;
  key_columns: string[] | null;
  policy_columns: string[];
  is_published: boolean;
  current_arguments: string | null;
};

/** Undefined when all is as it should be: touching a trigger locks its table. */
function triggerStatementFor(table: PublishedTable): string | undefined {
  const { name, key_columns: keyColumns, current_arguments: current } = table;
  if (!table.is_published || !keyColumns) {
    return current === null ? undefined : `drop trigger ${triggerName} on ${name}`;
  }
  const told = JSON.stringify([...new Set([...keyColumns, ...table.policy_columns])].sort());
  if (current === `${told.replaceAll("\\", "\\\\")}\\000`) return undefined;
  return `create or replace trigger ${triggerName} after insert or update or delete on ${name}
    for each row execute function realtime.notify_change('${told.replaceAll("'", "''")}')`;
}

const policyColumnsFunction = `
create or replace function realtime.policy_columns(relation oid) returns text[]
language sql stable set search_path = '' as $$
  -- Dependencies are recorded a column at a time, and not at all for a policy that takes the row as a whole:
  -- only the stored expression shows that, as attribute 0.
  select coalesce(array_agg(distinct a.attname::text), '{}')
  from pg_policy p
  join pg_attribute a on a.attrelid = p.polrelid and a.attnum > 0 and not a.attisdropped
  where p.polrelid = relation and p.polcmd in ('r', '*') and (
    p.polqual::text like '%:varattno 0 %' or exists (
      select from pg_depend d
      where d.classid = 'pg_policy'::regclass and d.objid = p.oid
        and d.refclassid = 'pg_class'::regclass and d.refobjid = relation and d.refobjsubid = a.attnum
    )
  )
$$`;

const notifyFunction = `
create or replace function realtime.notify_change() returns trigger
language plpgsql set search_path = '' as $$
declare
  told constant jsonb := tg_argv[0];
  row_told jsonb;
  old_told jsonb;
  message jsonb;
begin
  if tg_op <> 'DELETE' then
    select jsonb_object_agg(key, value) into row_told from jsonb_each(to_jsonb(new)) where told ? key;
  end if;
  if tg_op <> 'INSERT' then
    select jsonb_object_agg(key, value) into old_told from jsonb_each(to_jsonb(old)) where told ? key;
  end if;
  message := jsonb_build_object(
    'schema', tg_table_schema,
    'table', tg_table_name,
    'type', tg_op,
    'at', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'row', coalesce(row_told, old_told)::text,
    'old', case when tg_op = 'UPDATE' and old_told <> row_told then old_told::text end
  );
  -- pg_notify refuses 8000 bytes and more, which would undo the writer's own statement.
  if octet_length(message::text) > 7900 then
    message := message - 'row' - 'old';
  end if;
  perform pg_notify('${notificationChannel}', message::text);
  return null;
end
$$`;
