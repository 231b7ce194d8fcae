// Limits for everything that can occur many times in a request. The size of the body is limited where it is read
// (http-app.ts).

/** Rows that one request reads or writes; the same as on hosted Supabase. */
export const MAX_ROWS = 1_000;
/** Filters of a request, including those inside `and` and `or`. */
export const MAX_CONDITIONS = 100;
/** Nesting of `and` and `or`, of JSON in a body and of JSON keys in a row. */
export const MAX_DEPTH = 10;
/** Values of one `in`; names in `order`, `columns` or `on_conflict`. */
export const MAX_LIST = 200;
/** json_build_object takes 100 arguments, a name and a value for each column. */
export const MAX_SELECTED = 50;
/** Wildcards in all patterns of a request together. A pattern itself costs as much as a few of them. */
export const MAX_PATTERN_COST = 40;
export const PATTERN_COST = 4;
/** supabase-js warns about URLs longer than 8,000 characters. */
export const MAX_QUERY_CHARACTERS = 8_192;
