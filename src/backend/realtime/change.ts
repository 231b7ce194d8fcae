import { isRecord } from "./frame.ts";
import type { ChangeType } from "./join-request.ts";

/** What the trigger tells of a changed row: its key and the columns its policies look at, never the row. */
export type Change = {
  schema: string;
  table: string;
  type: ChangeType;
  committedAt: string;
  /** JSON text kept as it came: a bigint key would not survive JSON.parse. Undefined if too long to be told. */
  rowJson: string | undefined;
  /** Only on an UPDATE that changed one of the told columns. */
  oldRowJson: string | undefined;
};

export function parseChange(notification: string): Change | undefined {
  const told = jsonRecordOf(notification);
  const { schema, table, type, at, row, old } = told;
  if (typeof schema !== "string" || typeof table !== "string" || typeof at !== "string") return undefined;
  if (type !== "INSERT" && type !== "UPDATE" && type !== "DELETE") return undefined;
  return {
    schema,
    table,
    type,
    committedAt: at,
    rowJson: typeof row === "string" ? row : undefined,
    oldRowJson: typeof old === "string" ? old : undefined,
  };
}

export function tableKeyOf({ schema, table }: { schema: string; table: string }): string {
  return JSON.stringify([schema, table]);
}

export function jsonRecordOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
