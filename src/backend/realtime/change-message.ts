import type { Change } from "./change.ts";
import type { VisibleChange } from "./visible-changes.ts";

/** The `data` of a postgres_changes message, in Supabase's shape. */
export function changeMessage(change: Change, visible: VisibleChange, recordBytes: number) {
  const { columns, record, oldRecord } = visible;
  const isTooLong = record !== undefined && Buffer.byteLength(JSON.stringify(record)) > recordBytes;
  return {
    schema: change.schema,
    table: change.table,
    commit_timestamp: change.committedAt,
    type: change.type,
    columns,
    ...(record && { record: isTooLong ? shortValuesOf(record) : record }),
    ...(oldRecord && { old_record: oldRecord }),
    errors: isTooLong ? ["Error 413: Payload Too Large"] : null,
  };
}

const longestKeptBytes = 64;

function shortValuesOf(record: Record<string, unknown>): Record<string, unknown> {
  const short = ([, value]: [string, unknown]) =>
    Buffer.byteLength(JSON.stringify(value)) <= longestKeptBytes;
  return Object.fromEntries(Object.entries(record).filter(short));
}
