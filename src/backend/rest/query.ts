// A parsed request to the data API. Columns and functions come from the catalogue; every string is a value sent by the
// caller.
import type { Column, Named, Relation, Routine } from "./catalogue.ts";

export type JsonStep = { key: string; isIndex: boolean };

/** A column, or something inside it: `details->address->>street`. */
export type QueryField = {
  column: Column;
  path: readonly JsonStep[];
  isText: boolean;
};

export type Selected = { field: QueryField; alias: string };

export type Selection = readonly Selected[] | undefined;

export type Comparison = "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "like" | "ilike" | "cs";
export type IsValue = "null" | "not_null" | "true" | "false" | "unknown";

export type QueryOperation = { isNegated: boolean } & (
  | { kind: "compare"; operator: Comparison; value: string }
  | { kind: "in"; values: readonly string[] }
  | { kind: "is"; value: IsValue }
);

export type QueryCondition =
  | (QueryOperation & { field: QueryField })
  | { kind: "and" | "or"; conditions: readonly QueryCondition[]; isNegated: boolean };

export type QueryOrder = { field: QueryField; isDescending: boolean; nulls: "first" | "last" | undefined };

export type Range = { offset: number; limit: number };

export type Preferences = {
  return?: "representation" | "minimal" | "headers-only";
  count?: "exact" | "planned" | "estimated";
  resolution?: "merge-duplicates" | "ignore-duplicates";
  missing?: "default" | "null";
};

/** Which columns of changed rows to return; undefined for none. */
export type Returned = { select: Selection; order: readonly QueryOrder[] } | undefined;

export type Read = {
  kind: "read";
  relation: Relation;
  select: Selection;
  where: readonly QueryCondition[];
  order: readonly QueryOrder[];
  range: Range;
};

export type Insert = {
  kind: "insert";
  relation: Relation;
  columns: readonly Column[];
  /** A JSON list of objects. */
  rows: string;
  /** Columns that use their default if a row leaves them out. */
  defaults: readonly Column[];
  conflict: { target: readonly Column[]; isMerged: boolean } | undefined;
  returned: Returned;
};

export type Update = {
  kind: "update";
  relation: Relation;
  columns: readonly Column[];
  /** A JSON object. */
  values: string;
  where: readonly QueryCondition[];
  returned: Returned;
};

export type Delete = {
  kind: "delete";
  relation: Relation;
  where: readonly QueryCondition[];
  returned: Returned;
};

export type Call = {
  kind: "call";
  routine: Routine;
  /** The parameters that the call names, in its order. */
  parameters: readonly Named[];
  /** JSON values, or strings from the URL. */
  args: ReadonlyMap<string, unknown>;
  isJson: boolean;
};

export type Query = (Read | Insert | Update | Delete | Call) & {
  preferences: Preferences;
  /** Exactly one row is requested, without a list around it. */
  isSingle: boolean;
  hasBody: boolean;
  isReadOnly: boolean;
};
