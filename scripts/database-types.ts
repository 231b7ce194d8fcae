import type { Sql } from "postgres";
import { COLUMN_ORIGINS } from "#backend/rest/catalogue.ts";

export const TYPES_FILE = "src/core/database-types.ts";

type Column = {
  relation: string;
  is_view: boolean;
  name: string;
  type: string;
  is_nullable: boolean;
  has_default: boolean;
  is_generated: boolean;
};
type Callable = {
  name: string;
  arguments: { name: string; type: string; has_default: boolean }[];
  result: string;
};

/** The public schema as types for supabase-js: rows, writable columns and functions. */
export async function databaseTypes(sql: Sql): Promise<string> {
  const columns = await sql.unsafe<Column[]>(`
    select c.relname as relation, c.relkind = 'v' as is_view, a.attname as name, format_type(a.atttypid, null) as type,
      not coalesce(source.attnotnull, false) as is_nullable,
      coalesce(source.atthasdef or source.attidentity <> '', false) as has_default,
      coalesce(source.attgenerated <> '', false) as is_generated
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join (${COLUMN_ORIGINS}) as origins on origins.relation = c.oid and origins.attnum = a.attnum
    left join pg_attribute as source on source.attrelid = origins."table" and source.attnum = origins.origin
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`);
  const functions = await sql<Callable[]>`
    select p.proname as name, format_type(p.prorettype, null) as result,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'name', argument.name, 'type', format_type(argument.type, null),
          'has_default', argument.position > p.pronargs - p.pronargdefaults) order by argument.position)
        from unnest(p.proargnames, p.proargtypes::oid[]) with ordinality as argument (name, type, position)
        where argument.type is not null), '[]') as arguments
    from pg_proc p where p.pronamespace = 'public'::regnamespace order by p.proname`;
  const relations = [...Map.groupBy(columns, (column) => column.relation)];
  const linesOf = (isView: boolean) =>
    relations
      .filter(([, [first]]) => first?.is_view === isView)
      .flatMap(([name, rows]) => relationLines(name, rows));
  return [
    "// Written by `npm run types` from the migrations; not to be edited.",
    "export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];",
    "",
    "export type Database = {",
    "  public: {",
    "    Tables: {",
    ...linesOf(false),
    "    };",
    "    Views: {",
    ...linesOf(true),
    "    };",
    `    Functions: ${functions.length === 0 ? "Record<never, never>;" : "{"}`,
    ...functions.flatMap(functionLines),
    ...(functions.length === 0 ? [] : ["    };"]),
    "  };",
    "};",
    "",
  ].join("\n");
}

function relationLines(name: string, columns: Column[]): string[] {
  const field = (column: Column, mark: "" | "?") =>
    `          ${column.name}${mark}: ${typeOf(column.type)}${column.is_nullable ? " | null" : ""};`;
  const written = columns.filter((column) => !column.is_generated);
  return [
    `      ${name}: {`,
    "        Row: {",
    ...columns.map((column) => field(column, "")),
    "        };",
    "        Insert: {",
    ...written.map((column) => field(column, column.is_nullable || column.has_default ? "?" : "")),
    "        };",
    "        Update: {",
    ...written.map((column) => field(column, "?")),
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
