import type { Comparison, IsValue, QueryCondition, QueryField, QueryOrder } from "./query.ts";
import { badQuery } from "./rest-error.ts";
import { joinSql, type Parameters, type SqlText, sql } from "./sql-text.ts";

const OPERATORS: Record<Comparison, SqlText> = {
  eq: sql`=`,
  neq: sql`<>`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
  like: sql`like`,
  ilike: sql`ilike`,
  cs: sql`@>`,
};

const IS: Record<IsValue, SqlText> = {
  null: sql`is null`,
  not_null: sql`is not null`,
  true: sql`is true`,
  false: sql`is false`,
  unknown: sql`is unknown`,
};

/** A column of the relation, which every statement calls `t`, or a value inside its JSON. */
export function compileField({ column, path, isText }: QueryField, { bind }: Parameters): SqlText {
  const own = sql`t.${column.sql}`;
  if (path.length === 0) return own;
  const steps = path.map(({ key, isIndex }, index) => {
    const arrow = isText && index === path.length - 1 ? sql`->>` : sql`->`;
    return isIndex ? sql` ${arrow} ${bind(key)}::int` : sql` ${arrow} ${bind(key)}`;
  });
  return sql`(${column.isJsonb ? own : sql`to_jsonb(${own})`}${joinSql(steps, "")})`;
}

const TEXT = { type: sql`text`, arrayType: sql`text[]` };
const JSONB = { type: sql`jsonb`, arrayType: sql`jsonb[]` };

/** The type that a value compared with this field is cast to. */
function typeOf({ column, path, isText }: QueryField): { type: SqlText; arrayType: SqlText | null } {
  if (path.length === 0) return column;
  return isText ? TEXT : JSONB;
}

export function compileWhere(conditions: readonly QueryCondition[], parameters: Parameters): SqlText {
  if (conditions.length === 0) return sql``;
  const compiled = conditions.map((condition) => compileCondition(condition, parameters));
  return sql` where ${joinSql(compiled, " and ")}`;
}

function compileCondition(condition: QueryCondition, parameters: Parameters): SqlText {
  const compiled = compilePlain(condition, parameters);
  return condition.isNegated ? sql`not (${compiled})` : compiled;
}

function compilePlain(condition: QueryCondition, parameters: Parameters): SqlText {
  if ("conditions" in condition) {
    const parts = condition.conditions.map((part) => compileCondition(part, parameters));
    return sql`(${joinSql(parts, condition.kind === "and" ? " and " : " or ")})`;
  }
  const { field } = condition;
  const { bind } = parameters;
  const own = compileField(field, parameters);
  const { type, arrayType } = typeOf(field);
  if (condition.kind === "is") return sql`${own} ${IS[condition.value]}`;
  if (condition.kind === "in") {
    if (!arrayType) throw badQuery("`in` is not supported for columns that are lists");
    return sql`${own} = any (${bind(arrayLiteral(condition.values))}::${arrayType})`;
  }
  const { operator, value } = condition;
  const isPattern = operator === "like" || operator === "ilike";
  return sql`${own} ${OPERATORS[operator]} ${isPattern ? bind(value) : sql`${bind(value)}::${type}`}`;
}

/** The whole list is one parameter, so lists of any length share a statement. */
function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

export function compileOrder(order: readonly QueryOrder[], parameters: Parameters): SqlText {
  if (order.length === 0) return sql``;
  const terms = order.map(({ field, isDescending, nulls }) => {
    const direction = isDescending ? sql` desc` : sql``;
    const place = nulls === undefined ? sql`` : nulls === "first" ? sql` nulls first` : sql` nulls last`;
    return sql`${compileField(field, parameters)}${direction}${place}`;
  });
  return sql` order by ${joinSql(terms, ", ")}`;
}
