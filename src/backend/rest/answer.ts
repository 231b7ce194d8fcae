// Builds the response from the result of a query's statement, like PostgREST.
import { rangeNotSatisfiable } from "./parse-headers.ts";
import type { Preferences, Query } from "./query.ts";
import { refused } from "./rest-error.ts";

/** Numbers arrive as text, which the driver leaves unchanged. */
export type StatementRow = { rows: string; body: string; total?: string };

const JSON_TYPE = "application/json; charset=utf-8";
const OBJECT_TYPE = "application/vnd.pgrst.object+json; charset=utf-8";

/** Throws RequestRefused if the rows are not what was requested; the transaction is then rolled back. */
export function answerTo(query: Query, row: StatementRow): Response {
  const count = Number(row.rows);
  if (query.isSingle && count !== 1)
    throw refused(406, "PGRST116", "Cannot coerce the result to a single JSON object", {
      details: `The result contains ${count} rows`,
    });
  const { status, range, hasContent } = outcomeOf(query, row, count);
  const headers: Record<string, string> = { "content-range": range };
  const applied = appliedPreferences(query);
  if (applied) headers["preference-applied"] = applied;
  if (!hasContent) return new Response(null, { status, headers });
  headers["content-type"] = query.isSingle ? OBJECT_TYPE : JSON_TYPE;
  const isListed = query.kind !== "call" || query.routine.returns === "set";
  const body = query.isSingle && isListed ? row.body.slice(1, -1) : row.body;
  return new Response(query.hasBody ? body : null, { status, headers });
}

type Outcome = { status: number; range: string; hasContent: boolean };

function outcomeOf(query: Query, { total }: StatementRow, count: number): Outcome {
  const { kind, preferences } = query;
  const counted = preferences.count ? count : undefined;
  switch (kind) {
    case "read":
      return outcomeOfRead(query.range.offset, count, total === undefined ? undefined : Number(total));
    case "call": {
      const isVoid = query.routine.returns === "void";
      return { ...outcomeOfRead(0, count, counted), ...(isVoid ? { status: 204 } : {}), hasContent: !isVoid };
    }
    case "insert":
      return { status: 201, range: contentRange(1, 0, counted), hasContent: query.returned !== undefined };
    case "update":
    case "delete": {
      const hasContent = query.returned !== undefined;
      const last = kind === "update" ? count - 1 : -1;
      return { status: hasContent ? 200 : 204, range: contentRange(0, last, counted), hasContent };
    }
  }
}

function outcomeOfRead(offset: number, count: number, total: number | undefined): Outcome {
  if (total !== undefined && offset > total) throw rangeNotSatisfiable();
  const status = total !== undefined && count < total ? 206 : 200;
  return { status, range: contentRange(offset, offset + count - 1, total), hasContent: true };
}

function contentRange(first: number, last: number, total: number | undefined): string {
  return `${total !== 0 && first <= last ? `${first}-${last}` : "*"}/${total ?? "*"}`;
}

function appliedPreferences({ kind, preferences }: Query): string {
  const isChange = kind !== "read" && kind !== "call";
  const names: (keyof Preferences)[] = [
    ...(kind === "insert" ? (["resolution", "missing"] as const) : []),
    ...(isChange ? (["return"] as const) : []),
    "count",
  ];
  return names
    .filter((name) => preferences[name] !== undefined)
    .map((name) => `${name}=${preferences[name]}`)
    .join(", ");
}
