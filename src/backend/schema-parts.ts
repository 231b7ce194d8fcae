// Fingerprints of everything the migrations created, recorded after they ran, so that a later start detects manual
// changes. Objects added by others are ignored.

import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";

export async function recordSchemaParts(sql: Sql): Promise<void> {
  await inTransaction(sql, async (transaction) => {
    await transaction`set local client_min_messages = error`;
    await transaction`
      create table if not exists supabase_migrations.sereno_parts (
        part text primary key, definition text not null, written_by text not null
      )`;
    await transaction`delete from supabase_migrations.sereno_parts`;
    await transaction.unsafe(`
      insert into supabase_migrations.sereno_parts
      select part, definition, ${WRITTEN_BY} from (${PARTS}) as parts`);
  });
}

export async function hasSchemaParts(sql: Sql): Promise<boolean> {
  const [row] = await sql`select to_regclass('supabase_migrations.sereno_parts') is not null as found`;
  return row?.found === true;
}

/** Missing or changed parts; empty if another server version or `supabase db push` made the change. */
export async function findEditedParts(sql: Sql): Promise<string[]> {
  if (!(await hasSchemaParts(sql))) return [];
  const edited = await sql.unsafe<{ part: string }[]>(`
    select known.part from supabase_migrations.sereno_parts as known
    left join (${PARTS}) as present using (part)
    where known.written_by = ${WRITTEN_BY} and known.definition is distinct from present.definition
    order by known.part`);
  return edited.map(({ part }) => part);
}

/** Another major version may describe the same object differently. */
const WRITTEN_BY = `(
  select current_setting('server_version_num')::int / 10000 || ' ' || coalesce(max(version), '')
  from supabase_migrations.schema_migrations)`;

const PARTS = `
with ours as (select oid, nspname from pg_namespace where nspname in ('public', 'watch', 'private')),
tables as (
  select pg_class.oid, format('%I.%I', nspname, relname) as name, relrowsecurity
  from pg_class join ours on ours.oid = relnamespace where relkind in ('r', 'p')
)
select 'the table ' || name as part, 'row security ' || relrowsecurity as definition from tables
union all
select format('the column %s.%I', name, attname),
  concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attgenerated, pg_get_expr(adbin, adrelid))
from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
left join pg_attrdef on adrelid = attrelid and adnum = attnum
union all
select format('the constraint %I of %s', conname, name), pg_get_constraintdef(pg_constraint.oid)
from tables join pg_constraint on conrelid = tables.oid
union all
select format('the policy %I of %s', polname, name),
  concat_ws(' ', polcmd, polpermissive, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
from tables join pg_policy on polrelid = tables.oid
union all
select format('the trigger %I of %s', tgname, name), concat_ws(' ', tgenabled, pg_get_triggerdef(pg_trigger.oid))
from tables join pg_trigger on tgrelid = tables.oid
where not tgisinternal and tgname !~ '^realtime_notify_'
union all
select format('the function %I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(pg_proc.oid)),
  md5(pg_get_functiondef(pg_proc.oid))
from pg_proc join ours on ours.oid = pronamespace
where prokind = 'f' and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`;
