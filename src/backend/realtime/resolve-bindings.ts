import type { Sql, TransactionSql } from "postgres";
import { tableKeyOf } from "./change.ts";
import type { Identity } from "./identity.ts";
import type { Binding } from "./join-request.ts";
import { publicationName } from "./realtime-schema.ts";
import { findTableShape, quotedTable } from "./table-shape.ts";
import { actAs, conditionSql } from "./visible-changes.ts";

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
    try {
      const found = await sql.begin("read only", (transaction) => resolve(transaction, identity, binding));
      if (!found.ok) return found;
      resolved.push(...found.resolved);
    } catch (error) {
      const reason = filterMistakeOf(error);
      if (reason === undefined) throw error;
      return { ok: false, reason };
    }
  }
  return { ok: true, resolved };
}

async function resolve(sql: TransactionSql, identity: Identity, binding: Binding): Promise<Resolution> {
  const { schema, table, conditions } = binding;
  const tables = await sql<{ schema: string; table: string }[]>`
    select schemaname as schema, tablename as table
    from pg_publication_tables
    where pubname = ${publicationName}
      and ${schema} in (schemaname, '*') and ${table} in (tablename, '*')`;
  const [first] = tables;
  if (!first) {
    return {
      ok: false,
      reason: `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for [schema: ${schema}, table: ${table}]`,
    };
  }
  if (conditions.length > 0) {
    const shape = await findTableShape(sql, { ...first, role: identity.role });
    const isReadable = (name: string) =>
      shape?.columns.some((column) => column.name === name && column.isReadable);
    const unreadable = conditions.find(({ column }) => !isReadable(column));
    if (!shape || unreadable) return { ok: false, reason: `invalid column for filter ${unreadable?.column}` };
    const values: string[] = [];
    const bind = (value: string) => `$${values.push(value)}`;
    const tried = conditions.map((condition) => conditionSql(shape, condition, { alias: "tried", bind }));
    await actAs(sql, identity);
    await sql.unsafe(
      `select ${tried.join(" and ")} from jsonb_populate_record(null::${quotedTable(shape)}, '{}') as tried`,
      values,
    );
  }
  return { ok: true, resolved: tables.map((found) => ({ binding, tableKey: tableKeyOf(found) })) };
}

/** PostgreSQL's own words for a value or operator that does not fit the column. */
function filterMistakeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return /^(22|42)/.test(error.code) ? error.message : undefined;
}
