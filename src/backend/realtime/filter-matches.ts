import { type FilterCondition, filterSql } from "./filter.ts";
import { quotedName, type TableShape } from "./table-shape.ts";

type Row = {
  alias: string;
  bind: (value: string) => string;
  /** Says which columns are known, where not all of them are. */
  isTold?: (column: string) => boolean;
};

/** A JSON array of booleans, one a filter, for the row under `alias`. */
export function matchesSql(shape: TableShape, filters: readonly FilterCondition[][], row: Row): string {
  const answers = filters.map((conditions) =>
    conditions.length === 0
      ? "true"
      : conditions.map((condition) => conditionSql(shape, condition, row)).join(" and "),
  );
  return `to_jsonb(array[${answers.join(", ")}]::boolean[])`;
}

/** A column that is unknown or not for this role matches nothing. */
export function conditionSql(shape: TableShape, condition: FilterCondition, row: Row): string {
  const column = shape.columns.find(({ name }) => name === condition.column);
  if (!column?.isReadable || row.isTold?.(column.name) === false) return "false";
  const target = `${row.alias}.${quotedName(column.name)}`;
  return filterSql(condition, { target, sqlType: column.sqlType, bind: row.bind });
}
