// One limit for each thing that a request can have many of. The size of a body is limited where it is read (http-app.ts).

/** Rows that one request reads or brings; hosted Supabase has the same. */
export const MAX_ROWS = 1_000;
/** Filters of a request together, those inside `and` and `or` included. */
export const MAX_CONDITIONS = 100;
/** Of `and` and `or` inside one another, of JSON in a body and of JSON keys in a row. */
export const MAX_DEPTH = 10;
/** Values of one `in`, names of `order`, `columns` or `on_conflict`. */
export const MAX_LIST = 200;
/** json_build_object takes 100 arguments, a name and a value for each. */
export const MAX_SELECTED = 50;
/** In one pattern. */
export const MAX_WILDCARDS = 30;
/** supabase-js warns of addresses longer than 8,000. */
export const MAX_QUERY_CHARACTERS = 8_192;
