import type { Sql } from "postgres";

export const SCHEMA_FILE = "supabase/schema.sql";

const SCHEMAS = "('private', 'public', 'watch')";
const ROLES = "('anon', 'authenticated')";

type Line = { text: string };

/** All objects that the migrations create, as PostgreSQL describes them. For reading, not for execution. */
export async function schemaSql(sql: Sql): Promise<string> {
  return sql.begin(async (db) => {
    // With an empty search path every name is qualified.
    await db`set local search_path = ''`;
    const texts = async (query: string) => (await db.unsafe<Line[]>(query)).map(({ text }) => text);
    const parts = [
      "-- Written by `npm run types` from the migrations; not to be edited.",
      ...(await texts(TABLES)),
      ...(await texts(VIEWS)),
      ...(await texts(AUTH_TRIGGERS)),
      ...(await texts(FUNCTIONS)),
    ];
    return `${parts.join("\n\n")}\n`;
  });
}

const commentOn = (oid: string, catalogue: string) =>
  `coalesce('-- ' || obj_description(${oid}, '${catalogue}') || E'\\n', '')`;

const COLUMN = `
  select format('  %I %s%s%s', attname, format_type(atttypid, atttypmod), case when attnotnull then ' not null' else '' end,
      case
        when attgenerated = 's' then format(' generated always as (%s) stored', pg_get_expr(adbin, adrelid))
        when attidentity <> '' then ' generated always as identity'
        else coalesce(' default ' || pg_get_expr(adbin, adrelid), '')
      end) as line, 0 as part, attnum::text as name
  from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = c.oid and attnum > 0 and not attisdropped`;

const CONSTRAINT = `
  select format('  constraint %I %s', conname, pg_get_constraintdef(oid)), 1, conname from pg_constraint
  where conrelid = c.oid and contype in ('p', 'u', 'c', 'f')`;

const TRIGGERS = `
  select pg_get_triggerdef(oid) || ';' as line, 1 as part, tgname::text as name from pg_trigger
  where tgrelid = c.oid and not tgisinternal and tgname !~ '^realtime_notify_'`;

const BESIDE_A_TABLE = `
  select indexdef || ';' as line, 0 as part, indexname as name from pg_indexes
  where schemaname = n.nspname and tablename = c.relname
    and indexname not in (select conname from pg_constraint where conrelid = c.oid)
  union all ${TRIGGERS}
  union all
  select format('alter table %I.%I enable row level security;', n.nspname, c.relname), 2, '' where c.relrowsecurity
  union all
  select format('create policy %I for %s to %s%s%s;', policyname, lower(cmd), array_to_string(roles, ', '),
    ' using ' || qual, ' with check ' || with_check), 3, policyname
  from pg_policies where schemaname = n.nspname and tablename = c.relname`;

const GRANTS = `
  select format('grant %s on %I.%I to %s;', string_agg(lower(privilege_type), ', ' order by privilege_type), n.nspname,
    c.relname, grantee::regrole) as line, 4 as part, grantee::regrole::text as name
  from aclexplode(c.relacl) where grantee <> 0 and grantee::regrole::text in ${ROLES} group by grantee
  union all
  select format('grant %s (%s) on %I.%I to %s;', lower(privilege_type), string_agg(quote_ident(attname), ', ' order by attnum),
    n.nspname, c.relname, grantee::regrole), 5, privilege_type || grantee::regrole
  from pg_attribute cross join lateral aclexplode(attacl)
  where attrelid = c.oid and grantee <> 0 and grantee::regrole::text in ${ROLES} group by privilege_type, grantee`;

const OBJECTS = "pg_class as c join pg_namespace as n on n.oid = c.relnamespace";

const TABLES = `
  select ${commentOn("c.oid", "pg_class")} || format(E'create table %I.%I (\\n%s\\n);', n.nspname, c.relname, (
      select string_agg(line, E',\\n' order by part, case part when 0 then lpad(name, 5) else name end) from (${COLUMN} union all ${CONSTRAINT}) as parts
    )) || coalesce(E'\\n' || (
      select string_agg(line, E'\\n' order by part, name) from (${BESIDE_A_TABLE} union all ${GRANTS}) as parts
    ), '') as text
  from ${OBJECTS} where n.nspname in ${SCHEMAS} and c.relkind in ('r', 'p') order by n.nspname, c.relname`;

const VIEWS = `
  select ${commentOn("c.oid", "pg_class")} || format(E'create view %I.%I with (%s) as\\n%s', n.nspname, c.relname,
      array_to_string(c.reloptions, ', '), pg_get_viewdef(c.oid, true))
    || coalesce((select E'\\n' || string_agg(line, E'\\n' order by part, name) from (${GRANTS}) as parts), '') as text
  from ${OBJECTS} where n.nspname in ${SCHEMAS} and c.relkind = 'v' order by n.nspname, c.relname`;

const AUTH_TRIGGERS = `
  select string_agg(pg_get_triggerdef(pg_trigger.oid) || ';', E'\\n' order by tgname) as text
  from pg_trigger join pg_class as c on c.oid = tgrelid join pg_proc on pg_proc.oid = tgfoid
  where c.relnamespace = 'auth'::regnamespace and pronamespace = 'private'::regnamespace and not tgisinternal
  group by c.relname order by c.relname`;

const FUNCTIONS = `
  select ${commentOn("p.oid", "pg_proc")} || rtrim(pg_get_functiondef(p.oid), E'\\n') || ';' || coalesce((
      select E'\\n' || string_agg(format('grant execute on function %s to %s;', p.oid::regprocedure, grantee::regrole), E'\\n'
        order by grantee::regrole::text)
      from aclexplode(p.proacl) where grantee <> 0 and grantee::regrole::text in ${ROLES}
    ), '') as text
  from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
  where n.nspname in ${SCHEMAS} and p.prokind = 'f'
    and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  order by n.nspname, p.proname`;
