// What the data API serves: the tables, views and functions in the schema `public` that people have rights on. Read
// once, after the migrations. PostgreSQL quotes every name here; requests only look names up.

import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { StartError } from "../postgres/start-error.ts";
import type { SqlText } from "./sql-text.ts";

export type Named = {
  name: string;
  sql: SqlText;
  type: SqlText;
};

export type Column = Named & {
  literal: SqlText;
  /** Null for types without an array type, such as arrays. */
  arrayType: SqlText | null;
  isJsonb: boolean;
  default: SqlText | null;
};

export type CallerRole = "anon" | "authenticated";
export type Verb = "select" | "insert" | "update" | "delete";

export type Relation = {
  sql: SqlText;
  /** What a role may do with the table or with some of its columns. */
  rights: Record<CallerRole, readonly Verb[]>;
  columns: ReadonlyMap<string, Column>;
  primaryKey: readonly Column[];
};

export type Routine = {
  name: string;
  sql: SqlText;
  parameters: ReadonlyMap<string, Named>;
  required: readonly Named[];
  returns: "void" | "value" | "set";
  isVolatile: boolean;
  callers: readonly CallerRole[];
};

export type Catalogue = {
  relations: ReadonlyMap<string, Relation>;
  routines: ReadonlyMap<string, Routine>;
};

type RelationRow = Pick<Relation, "sql" | "rights"> & {
  name: string;
  columns: Column[];
  primaryKey: string[];
};
type RoutineRow = Omit<Routine, "parameters" | "required"> & {
  parameters: Named[];
  requiredCount: number;
  isVariadic: boolean;
};

export async function readCatalogue(database: Sql): Promise<Catalogue> {
  return inTransaction(database, async (db) => {
    // With an empty search path PostgreSQL qualifies every name in a default.
    await db`set local search_path = ''`;
    const relations = await db.unsafe<RelationRow[]>(RELATIONS);
    const routines = await db.unsafe<RoutineRow[]>(ROUTINES);
    const faults = faultsIn(routines);
    if (faults.length > 0) throw new StartError(faults.join(" "));
    return {
      relations: new Map(relations.map((row) => [row.name, relationOf(row)])),
      routines: new Map(routines.map((row) => [row.name, routineOf(row)])),
    };
  });
}

const ROLES = "array['anon', 'authenticated']";
const TYPE_NAME =
  "select format('%I.%I', nspname, typname) from pg_type join pg_namespace on pg_namespace.oid = typnamespace";
// Objects of extensions are not served.
const isOwn = (catalogue: string) =>
  `not exists (select from pg_depend where classid = '${catalogue}'::regclass and objid = object.oid and deptype = 'e')`;

/**
 * Each column of a table or view (`relation`, `attnum`) with the table column behind it, which gives an auto-updatable
 * view its key and defaults. PostgreSQL stores this origin only in the text of the view's rule.
 */
export const COLUMN_ORIGINS = `
  select attrelid as relation, attnum, attrelid as "table", attnum as origin
  from pg_attribute join pg_class on pg_class.oid = attrelid where relkind in ('r', 'p')
  union all
  (select distinct on (ev_class, found[1]) ev_class, found[1]::smallint, found[2]::oid, found[3]::smallint
  from pg_rewrite cross join lateral regexp_matches(
    ev_action::text, ':resno (\\d+) :resname \\S+ :ressortgroupref \\d+ :resorigtbl (\\d+) :resorigcol (\\d+)', 'g'
  ) with ordinality as entries (found, place)
  where rulename = '_RETURN' and pg_relation_is_updatable(ev_class, false) & 8 = 8
  order by ev_class, found[1], place desc)`;

const RELATIONS = `
  with origins as (${COLUMN_ORIGINS})
  select relname as name, format('public.%I', relname) as sql,
    (select json_agg(json_build_object(
        'name', attname, 'sql', quote_ident(attname), 'literal', quote_literal(attname),
        'type', (${TYPE_NAME} where pg_type.oid = atttypid),
        'arrayType', (${TYPE_NAME} where pg_type.oid =
          (select typarray from pg_type as element where element.oid = atttypid)),
        'isJsonb', atttypid = 'jsonb'::regtype,
        'default', (select pg_get_expr(adbin, adrelid) from origins
          join pg_attrdef on adrelid = "table" and adnum = origin
          where relation = attrelid and origins.attnum = pg_attribute.attnum and attgenerated = '')
      ) order by attnum)
      from pg_attribute where attrelid = object.oid and attnum > 0 and not attisdropped) as columns,
    to_json(array(select attname::text from origins join pg_index on indrelid = "table" and indisprimary and origin = any (indkey)
      join pg_attribute on attrelid = relation and pg_attribute.attnum = origins.attnum
      where relation = object.oid)) as "primaryKey",
    (select json_object_agg(role, array(
        select verb from unnest(array['select', 'insert', 'update', 'delete']) as verb
        where case verb when 'delete' then has_table_privilege(role, object.oid, verb)
          else has_any_column_privilege(role, object.oid, verb) end
      )) from unnest(${ROLES}) as role) as rights
  from pg_class as object
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') and ${isOwn("pg_class")}
    and exists (select from unnest(${ROLES}) as role
      where has_table_privilege(role, object.oid, 'select, insert, update, delete')
        or has_any_column_privilege(role, object.oid, 'select, insert, update'))
  order by relname`;

const ROUTINES = `
  select proname as name, format('public.%I', proname) as sql, pronargs - pronargdefaults as "requiredCount",
    coalesce((select json_agg(json_build_object(
        'name', coalesce(proargnames[place], ''), 'sql', quote_ident(coalesce(proargnames[place], '')),
        'type', (${TYPE_NAME} where pg_type.oid = argument)
      ) order by place)
      from unnest(coalesce(proallargtypes, proargtypes::oid[])) with ordinality as arguments (argument, place)
      where coalesce(proargmodes[place], 'i') in ('i', 'b', 'v')), '[]') as parameters,
    case when proretset then 'set' when prorettype = 'void'::regtype then 'void' else 'value' end as returns,
    provolatile = 'v' as "isVolatile", provariadic <> 0 as "isVariadic",
    to_json(array(select role from unnest(${ROLES}) as role where has_function_privilege(role, object.oid, 'execute'))) as callers
  from pg_proc as object
  where pronamespace = 'public'::regnamespace and prokind = 'f' and prorettype <> 'trigger'::regtype
    and ${isOwn("pg_proc")}
    and exists (select from unnest(${ROLES}) as role
      where has_function_privilege(role, object.oid, 'execute'))
  order by proname`;

/** A call gives a function name and argument names, which must identify one function. */
function faultsIn(routines: readonly RoutineRow[]): string[] {
  const refuse = (name: string, why: string) =>
    `The data API cannot serve the function public.${name}: ${why}.`;
  return routines.flatMap(({ name, isVariadic, parameters }, index) => [
    ...(routines[index - 1]?.name === name ? [refuse(name, "it is overloaded")] : []),
    ...(isVariadic ? [refuse(name, "it is variadic")] : []),
    ...(parameters.some((parameter) => parameter.name === "")
      ? [refuse(name, "a parameter has no name")]
      : []),
  ]);
}

const byName = <Item extends Named>(items: Item[]) => new Map(items.map((item) => [item.name, item]));

const relationOf = ({ sql, rights, columns, primaryKey }: RelationRow): Relation => ({
  sql,
  rights,
  columns: byName(columns),
  primaryKey: columns.filter(({ name }) => primaryKey.includes(name)),
});

const routineOf = ({ parameters, requiredCount, isVariadic: _, ...row }: RoutineRow): Routine => ({
  ...row,
  parameters: byName(parameters),
  required: parameters.slice(0, requiredCount),
});
