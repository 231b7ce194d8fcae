import type { Sql } from "postgres";

export const TYPES_FILE = "src/core/database-types.ts";

type Column = { relation: string; name: string; type: string; is_nullable: boolean; has_default: boolean };
type Callable = {
  name: string;
  arguments: { name: string; type: string; has_default: boolean }[];
  result: string;
};

/** The public schema as supabase-js wants to know it: rows, what may be written, and functions. */
export async function databaseTypes(sql: Sql): Promise<string> {
  const columns = await sql<Column[]>`
    select c.relname as relation, a.attname as name, format_type(a.atttypid, null) as type,
      not a.attnotnull as is_nullable, a.atthasdef or a.attidentity <> '' as has_default
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`;
  const functions = await sql<Callable[]>`
    select p.proname as name, format_type(p.prorettype, null) as result,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'name', argument.name, 'type', format_type(argument.type, null),
          'has_default', argument.position > p.pronargs - p.pronargdefaults) order by argument.position)
        from unnest(p.proargnames, p.proargtypes::oid[]) with ordinality as argument (name, type, position)
        where argument.type is not null), '[]') as arguments
    from pg_proc p where p.pronamespace = 'public'::regnamespace order by p.proname`;
  const tables = Map.groupBy(columns, (column) => column.relation);
  return [
    "// Written by `npm run types` from the migrations; not to be edited.",
    "export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];",
    "",
    "export type Database = {",
    "  public: {",
    "    Tables: {",
    ...[...tables].flatMap(([name, rows]) => tableLines(name, rows)),
    "    };",
    "    Views: Record<never, never>;",
    `    Functions: ${functions.length === 0 ? "Record<never, never>;" : "{"}`,
    ...functions.flatMap(functionLines),
    ...(functions.length === 0 ? [] : ["    };"]),
    "  };",
    "};",
    "",
  ].join("\n");
}

function tableLines(name: string, columns: Column[]): string[] {
  const field = (column: Column, mark: "" | "?") =>
    `          ${column.name}${mark}: ${typeOf(column.type)}${column.is_nullable ? " | null" : ""};`;
  return [
    `      ${name}: {`,
    "        Row: {",
    ...columns.map((column) => field(column, "")),
    "        };",
    "        Insert: {",
    ...columns.map((column) => field(column, column.is_nullable || column.has_default ? "?" : "")),
    "        };",
    "        Update: {",
    ...columns.map((column) => field(column, "?")),
    "        };",
    "        Relationships: [];",
    "      };",
  ];
}

function functionLines({ name, arguments: list, result }: Callable): string[] {
  const fields = list.map(
    (argument) => `${argument.name}${argument.has_default ? "?" : ""}: ${typeOf(argument.type)}`,
  );
  const taken = fields.length === 0 ? "Record<never, never>" : `{ ${fields.join("; ")} }`;
  return [`      ${name}: { Args: ${taken}; Returns: ${typeOf(result)} };`];
}

const TYPES: Record<string, string> = {
  text: "string",
  uuid: "string",
  "timestamp with time zone": "string",
  "time without time zone": "string",
  boolean: "boolean",
  integer: "number",
  bigint: "number",
  numeric: "number",
  "double precision": "number",
  jsonb: "Json",
  void: "undefined",
};

function typeOf(type: string): string {
  if (type.endsWith("[]")) return `${typeOf(type.slice(0, -2))}[]`;
  const known = TYPES[type];
  if (!known)
    throw new Error(
      `No TypeScript type is known for the SQL type ${type}; add it to scripts/database-types.ts.`,
    );
  return known;
}
