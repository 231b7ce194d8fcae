import type { ISql } from "postgres";

type TableColumn = {
  name: string;
  /** As Supabase names it in `columns` (int8, _text). */
  typeName: string;
  /** As SQL casts to it. */
  sqlType: string;
  isKey: boolean;
  isReadable: boolean;
};

/** A table as one role meets it. */
export type TableShape = {
  schema: string;
  table: string;
  columns: TableColumn[];
  /** What the role's read policies ask of a row, as one SQL expression; `true` where they do not apply. */
  policySql: string;
  policyColumns: string[];
};

/** Run before `set role`: the catalog is read with our own rights. */
export async function findTableShape(
  sql: ISql,
  { schema, table, role }: { schema: string; table: string; role: string },
): Promise<TableShape | undefined> {
  const [found] = await sql<
    { columns: TableColumn[]; policy_sql: string | null; policy_columns: string[] }[]
  >`
    select
      (
        select jsonb_agg(jsonb_build_object(
          'name', a.attname,
          'typeName', t.typname,
          'sqlType', format_type(a.atttypid, null),
          'isKey', coalesce(a.attnum = any (i.indkey), false),
          'isReadable', has_column_privilege(r.oid, c.oid, a.attnum, 'select')
        ) order by a.attnum)
        from pg_attribute a
        join pg_type t on t.oid = a.atttypid
        left join pg_index i on i.indrelid = c.oid and i.indisprimary
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      ) as columns,
      case
        when not c.relrowsecurity or r.rolsuper or r.rolbypassrls then 'true'
        when not c.relforcerowsecurity and pg_has_role(r.oid, c.relowner, 'usage') then 'true'
        else (
          select
            '(' || coalesce(string_agg('(' || p.qual || ')', ' or ') filter (where p.polpermissive), 'false') || ')'
            || coalesce(' and ' || string_agg('(' || p.qual || ')', ' and ') filter (where not p.polpermissive), '')
          from (
            select polpermissive, pg_get_expr(polqual, polrelid) as qual
            from pg_policy
            where polrelid = c.oid and polcmd in ('r', '*') and exists (
              select from unnest(polroles) as allowed(role_oid)
              where role_oid = 0 or pg_has_role(r.oid, role_oid, 'usage')
            )
          ) p
        )
      end as policy_sql,
      realtime.policy_columns(c.oid) as policy_columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_roles r on r.rolname = ${role}
    where n.nspname = ${schema} and c.relname = ${table} and has_schema_privilege(r.oid, n.oid, 'usage')`;
  if (!found) return undefined;
  return {
    schema,
    table,
    columns: found.columns,
    policySql: found.policy_sql ?? "false",
    policyColumns: found.policy_columns,
  };
}

export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quotedTable({ schema, table }: { schema: string; table: string }): string {
  return `${quotedName(schema)}.${quotedName(table)}`;
}
