// Compiles a query to one statement. Its result is one row of texts: the number of rows, the rows as JSON and, if
// requested, the number of rows without the limit.
import type { Statement } from "../person-transaction.ts";
import type { Column, Named } from "./catalogue.ts";
import { compileField, compileOrder, compileWhere } from "./compile-conditions.ts";
import type { Call, Delete, Insert, Query, Read, Returned, Selection, Update } from "./query.ts";
import { MAX_ROWS } from "./rest-limits.ts";
import { createParameters, joinSql, type Parameters, type SqlText, sql } from "./sql-text.ts";

export function compileQuery(query: Query): Pick<Statement, "text" | "values"> {
  const parameters = createParameters();
  const text = compileKind(query, parameters);
  return { text, values: parameters.values };
}

function compileKind(query: Query, parameters: Parameters): SqlText {
  switch (query.kind) {
    case "read":
      return compileRead(query, parameters);
    case "insert":
      return compileChange(compileInsert(query, parameters), query.returned, parameters);
    case "update":
      return compileChange(compileUpdate(query, parameters), query.returned, parameters);
    case "delete":
      return compileChange(compileDelete(query, parameters), query.returned, parameters);
    case "call":
      return compileCall(query, parameters);
  }
}

function compileRead(query: Read & Query, parameters: Parameters): SqlText {
  const { relation, range, order, preferences } = query;
  const where = compileWhere(query.where, parameters);
  const source = sql`${relation.sql} as t${where}`;
  const total = preferences.count ? sql`, (select count(*) from ${source})::text as total` : sql``;
  const limit = parameters.bind(String(range.limit));
  const offset = parameters.bind(String(range.offset));
  const rows = compileRows(query.select, parameters);
  return sql`select count(*)::text as rows, ${rows.json} as body${total} from (select ${rows.columns} from ${source}${compileOrder(order, parameters)} limit ${limit}::bigint offset ${offset}::bigint) as rest_row`;
}

/** Names chosen by the caller are values here, never column names. */
function compileRows(select: Selection, parameters: Parameters): { columns: SqlText; json: SqlText } {
  const whole = sql`coalesce(json_agg(rest_row)::text, '[]')`;
  if (!select) return { columns: sql`t.*`, json: whole };
  const isPlain = select.every(({ field, alias }) => field.path.length === 0 && alias === field.column.name);
  if (isPlain)
    return {
      columns: joinSql(
        select.map(({ field }) => sql`t.${field.column.sql}`),
        ", ",
      ),
      json: whole,
    };
  const pairs = select.map(
    ({ field, alias }) => sql`${parameters.bind(alias)}, ${compileField(field, parameters)}`,
  );
  return {
    columns: sql`json_build_object(${joinSql(pairs, ", ")}) as item`,
    json: sql`coalesce(json_agg(rest_row.item)::text, '[]')`,
  };
}

function compileChange(change: SqlText, returned: Returned, parameters: Parameters): SqlText {
  if (!returned)
    return sql`with t as (${change} returning 1) select count(*)::text as rows, '' as body from t`;
  const { select, order } = returned;
  const used = [...(select ?? []), ...order].map(({ field }) => field.column.sql);
  const returning = select
    ? joinSql(
        [...new Set(used)].map((name) => sql`t.${name}`),
        ", ",
      )
    : sql`t.*`;
  const rows = compileRows(select, parameters);
  return sql`with t as (${change} returning ${returning}) select count(*)::text as rows, ${rows.json} as body from (select ${rows.columns} from t${compileOrder(order, parameters)}) as rest_row`;
}

const names = (columns: readonly Named[]) =>
  joinSql(
    columns.map((column) => column.sql),
    ", ",
  );
const typed = (columns: readonly Named[]) =>
  joinSql(
    columns.map((column) => sql`${column.sql} ${column.type}`),
    ", ",
  );

function compileInsert(
  { relation, columns, rows, defaults, conflict }: Insert,
  parameters: Parameters,
): SqlText {
  const body = parameters.bind(rows);
  if (columns.length === 0) {
    const onConflict = conflict ? sql` on conflict (${names(conflict.target)}) do nothing` : sql``;
    return sql`insert into ${relation.sql} as t select from json_array_elements(${body}::json) as body${onConflict}`;
  }
  const records = defaults.some((column) => column.default)
    ? sql`jsonb_to_recordset(${withDefaults(body, defaults)})`
    : sql`json_to_recordset(${body}::json)`;
  const insert = sql`insert into ${relation.sql} as t (${names(columns)}) select ${names(columns)} from ${records} as body (${typed(columns)})`;
  if (!conflict) return insert;
  const updates = columns.map((column) => sql`${column.sql} = excluded.${column.sql}`);
  const action = conflict.isMerged ? sql`update set ${joinSql(updates, ", ")}` : sql`nothing`;
  return sql`${insert} on conflict (${names(conflict.target)}) do ${action}`;
}

/** Puts each row on top of an object of defaults, which are evaluated per row. */
function withDefaults(body: SqlText, defaults: readonly Column[]): SqlText {
  const pairs = defaults.flatMap((column) =>
    column.default ? [sql`${column.literal}, ${column.default}`] : [],
  );
  return sql`(select jsonb_agg(jsonb_build_object(${joinSql(pairs, ", ")}) || element) from jsonb_array_elements(${body}::jsonb) as element)`;
}

function compileUpdate({ relation, columns, values, where }: Update, parameters: Parameters): SqlText {
  const set = joinSql(
    columns.map((column) => sql`${column.sql} = body.${column.sql}`),
    ", ",
  );
  const body = parameters.bind(values);
  return sql`update ${relation.sql} as t set ${set} from json_to_record(${body}::json) as body (${typed(columns)})${compileWhere(where, parameters)}`;
}

function compileDelete({ relation, where }: Delete, parameters: Parameters): SqlText {
  return sql`delete from ${relation.sql} as t${compileWhere(where, parameters)}`;
}

function compileCall({ routine, parameters: named, args, isJson }: Call, parameters: Parameters): SqlText {
  const passed = named.map((parameter) =>
    isJson
      ? sql`${parameter.sql} => body.${parameter.sql}`
      : sql`${parameter.sql} => ${parameters.bind(String(args.get(parameter.name)))}::${parameter.type}`,
  );
  const call = sql`${routine.sql}(${joinSql(passed, ", ")})`;
  const from =
    isJson && named.length > 0
      ? sql` from json_to_record(${parameters.bind(JSON.stringify(Object.fromEntries(args)))}::json) as body (${typed(named)})`
      : sql``;
  if (routine.returns === "void") return sql`select '1' as rows, '' as body, ${call} as called${from}`;
  if (routine.returns === "value")
    return sql`select '1' as rows, coalesce(to_json(${call})::text, 'null') as body${from}`;
  const limit = parameters.bind(String(MAX_ROWS));
  return sql`select count(*)::text as rows, coalesce(json_agg(rest_row.value)::text, '[]') as body from (select ${call} as value${from} limit ${limit}::bigint) as rest_row`;
}
