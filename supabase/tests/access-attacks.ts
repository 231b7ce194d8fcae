// The requests by which somebody may try to reach rows of another person, or schemas that are not served.
import type { TestProduct } from "#test/test-product.ts";
import type { Question, Relation, Row } from "./access-probe.ts";

/** Everything another may try on the rows of a relation that are `hers`, or to bring in as hers: `row` has her keys. */
export function attacksOn(
  relation: Relation,
  { hers, mine, row, writable }: { hers: string; mine: string; row: Row; writable: Row },
): Question[] {
  const { name, owner, keys } = relation;
  const its = owner ? `${owner}=eq.${hers}` : "";
  const reads = [
    "select=*",
    `select=*&${its}`,
    "select=count()",
    "select=*&order=1&limit=1000&offset=0",
    ...(owner
      ? [`or=(${its.replace("=eq.", ".eq.")},${owner}.not.is.null)`, `${owner}=in.(${hers},${mine})`]
      : []),
  ];
  const writes = [
    row,
    writable,
    [writable],
    [{ ...writable, ...(owner ? { [owner]: mine } : {}) }, writable],
  ];
  const conflicts = ["", ...keys.map((key) => `?on_conflict=${key.join(",")}`)];
  return [
    ...reads.map((query) => ({ method: "GET", path: `${name}?${query}` })),
    ...["exact", "planned", "estimated", "exact,count = planned"].map((count) => ({
      method: "HEAD",
      path: `${name}?${its}`,
      prefer: `count=${count}`,
    })),
    ...ACCEPTS.map((accept) => ({ method: "GET", path: `${name}?${its}`, headers: { accept } })),
    ...writes.map((body) => ({
      method: "POST",
      path: name,
      body,
      prefer: "return=representation,missing=default",
    })),
    ...writes.flatMap((body) =>
      conflicts.flatMap((conflict) =>
        ["merge", "ignore"].map((how) => ({
          method: "POST",
          path: `${name}${conflict}`,
          body,
          prefer: `return=representation,resolution=${how}-duplicates`,
        })),
      ),
    ),
    ...keys.map((key) => ({
      method: "PUT",
      path: `${name}?${key.map((column) => `${column}=eq.${row[column]}`).join("&")}`,
      body: row,
    })),
    ...Object.entries(row).flatMap(([column, value]) => [
      { method: "PATCH", path: name, body: { [column]: value } },
      { method: "PATCH", path: `${name}?${its}`, body: { [column]: value }, prefer: "return=representation" },
    ]),
    ...(owner ? [{ method: "PATCH", path: `${name}?${owner}=eq.${mine}`, body: { [owner]: hers } }] : []),
    { method: "DELETE", path: name },
    { method: "DELETE", path: `${name}?${its}`, prefer: "return=representation,count=exact" },
  ];
}

export const everyVerbOn = (path: string, body: Row): Question[] => [
  ...["GET", "HEAD", "DELETE"].map((method) => ({ method, path, prefer: "count=exact" })),
  ...["POST", "PATCH", "PUT"].map((method) => ({ method, path, body, prefer: "return=representation" })),
];

const ACCEPTS = [
  "text/csv",
  "application/vnd.pgrst.object+json",
  "application/vnd.pgrst.plan+json",
  "application/vnd.pgrst.plan+text; options=analyze|verbose",
  "application/geo+json",
];

/** Every spelling by which somebody may hope to reach what lies in a schema that is not served. */
export async function closedDoors({ database: { sql } }: TestProduct, served: string[]): Promise<Question[]> {
  const names = await sql<{ schema: string; name: string; is_function: boolean }[]>`
    select nspname as schema, relname as name, false as is_function
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname !~ '^(public|information_schema|pg_.*)$' and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union
    select nspname, proname, true from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname !~ '^(public|information_schema|pg_.*)$'`;
  const schemas = await sql<
    { schema: string }[]
  >`select nspname as schema from pg_namespace where nspname <> 'public'`;
  const system = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace::regnamespace::text in ('pg_catalog', 'information_schema')
      and relkind in ('r', 'v')`;
  const closed = [
    ...schemas.map(({ schema }) => schema),
    "storage",
    "pgboss",
    "graphql_public",
    "PUBLIC",
    "public,auth",
  ];
  return [
    ...closed.flatMap((schema) => [
      ...served.map((name) => ({ method: "GET", path: name, headers: { "accept-profile": schema } })),
      ...["POST", "PATCH", "PUT", "DELETE"].map((method) => ({
        method,
        path: served[0] ?? "",
        body: {},
        headers: { "content-profile": schema },
      })),
    ]),
    ...names.flatMap(({ schema, name, is_function }, index) => {
      const prefix = is_function ? "rpc/" : "";
      const spellings = [
        `${schema}.${name}`,
        `"${schema}"."${name}"`,
        `${schema}__${name}`,
        `public.${schema}.${name}`,
      ];
      const profiles = { "accept-profile": schema, "content-profile": schema };
      const one = { "content-profile": schema };
      // What has a namesake that is served would answer for it.
      const isAlone = !served.includes(name);
      const withBody = (method: string) => ({ method, ...(method === "POST" ? { body: {} } : {}) });
      const asks = ["GET", "POST"].map(withBody);
      const misspelled = spellings.flatMap((path) => asks.map((ask) => ({ ...ask, path: prefix + path })));
      const others = ["HEAD", "PATCH", "DELETE"].map((method) => ({
        ...{ method, path: prefix + name, headers: profiles },
      }));
      // Embedding is refused wherever it is asked for, so one place to ask is enough.
      const embedded = [name, `${schema}.${name}`].map((relation) => ({
        ...{ method: "GET", path: `${served[0]}?select=*,${relation}(*)` },
      }));
      return [
        ...asks.map((ask) => ({ ...ask, path: prefix + name, headers: profiles })),
        ...(isAlone ? [{ ...withBody("POST"), path: prefix + name, headers: one }] : []),
        // Names are not told apart, so each is asked for in a few of these ways, and each way of many names.
        ...inTurn(misspelled, index),
        ...inTurn(others, index),
        ...(isAlone && !is_function ? inTurn(embedded, index) : []),
      ];
    }),
    ...system.map(({ name }) => ({ method: "GET", path: name })),
    ...SYSTEM_FUNCTIONS.flatMap((name) => [
      { method: "GET", path: `rpc/${name}` },
      { method: "POST", path: `rpc/${name}`, body: {} },
      { method: "POST", path: `rpc/pg_catalog.${name}`, body: {} },
    ]),
  ];
}

function inTurn<One>(ways: readonly One[], turn: number): One[] {
  return ways.slice(turn % ways.length, (turn % ways.length) + 1);
}

const SYSTEM_FUNCTIONS = [
  "version",
  "current_user",
  "pg_sleep",
  "set_config",
  "current_setting",
  "pg_read_file",
  "pg_ls_dir",
  "lo_import",
  "query_to_xml",
  "database_to_xml",
  "pg_terminate_backend",
  "pg_notify",
];
