import type { Sql } from "postgres";
import { tableKeyOf } from "./change.ts";
import { conditionSql } from "./filter-matches.ts";
import type { Identity } from "./identity.ts";
import type { Binding } from "./join-request.ts";
import { publicationName } from "./realtime-schema.ts";
import { findTableShape, quotedTable } from "./table-shape.ts";
import { actAs } from "./visible-changes.ts";

export type ResolvedBinding = { binding: Binding; tableKey: string };

type Resolution = { ok: true; resolved: ResolvedBinding[] } | { ok: false; reason: string };

/** Finds the published tables that bindings mean, and tries their filters, so that a mistake shows at once. */
export async function resolveBindings(
  sql: Sql,
  identity: Identity,
  bindings: readonly Binding[],
): Promise<Resolution> {
  const resolved: ResolvedBinding[] = [];
  for (const binding of bindings) {
    const tableKeys = await findPublished(sql, binding);
    if (tableKeys.length === 0) return { ok: false, reason: unpublished(binding) };
    const mistake =
      binding.conditions.length > 0 ? await findFilterMistake(sql, identity, binding) : undefined;
    if (mistake !== undefined) return { ok: false, reason: mistake };
    resolved.push(...tableKeys.map((tableKey) => ({ binding, tableKey })));
  }
  return { ok: true, resolved };
}

async function findPublished(sql: Sql, { schema, table }: Binding): Promise<string[]> {
  const tables = await sql<{ schema: string; table: string }[]>`
    select schemaname as schema, tablename as table
    from pg_publication_tables
    where pubname = ${publicationName}
      and ${schema}::text in (schemaname::text, '*') and ${table}::text in (tablename::text, '*')`;
  return tables.map(tableKeyOf);
}

async function findFilterMistake(
  sql: Sql,
  identity: Identity,
  { schema, table, conditions }: Binding,
): Promise<string | undefined> {
  const shape = await findTableShape(sql, { schema, table, role: identity.role });
  const isReadable = (name: string) =>
    shape?.columns.some((column) => column.name === name && column.isReadable);
  const unreadable = conditions.find(({ column }) => !isReadable(column));
  if (!shape || unreadable) return `invalid column for filter ${unreadable?.column}`;
  const values: string[] = [];
  const bind = (value: string) => `$${values.push(value)}::text`;
  const tried = conditions.map((condition) => conditionSql(shape, condition, { alias: "tried", bind }));
  const emptyRow = `jsonb_populate_record(null::${quotedTable(shape)}, '{}')`;
  try {
    await sql.begin("read only", async (transaction) => {
      await actAs(transaction, identity);
      await transaction.unsafe(`select ${tried.join(" and ")} from ${emptyRow} as tried`, values);
    });
  } catch (error) {
    const mistake = mistakeOf(error);
    if (mistake === undefined) throw error;
    return mistake;
  }
  return undefined;
}

function unpublished({ schema, table }: Binding): string {
  return `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for [schema: ${schema}, table: ${table}]`;
}

/** PostgreSQL's own words for a value or an operator that does not fit the column. */
function mistakeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return /^(22|42)/.test(error.code) ? error.message : undefined;
}
