// What the access matrix asks with: the catalogue, rows for two people, and requests as guest, owner, another person or a
// forger. It knows no table by name.
import { COLUMN_ORIGINS } from "#backend/rest/catalogue.ts";
import type { Person } from "#test/cast.ts";
import type { TestProduct } from "#test/test-product.ts";

export type Row = Record<string, unknown>;

export type Relation = {
  name: string;
  isTable: boolean;
  /** The table behind a view that can be written; else itself. */
  base: string;
  columns: string[];
  /** The column that names the account a row belongs to; none where rows are nobody's. */
  owner: string | undefined;
  /** Every set of columns that an upsert may name as its conflict. */
  keys: string[][];
};

export type Answer = { status: number; code: string; text: string; headers: Headers };

export type Question = {
  method: string;
  path: string;
  body?: unknown;
  prefer?: string;
  headers?: Record<string, string>;
};

/** Tables and views of the schema that is served, as the catalogue has them now. */
export async function readRelations({
  database: { sql },
}: Pick<TestProduct, "database">): Promise<Relation[]> {
  const found = await sql.unsafe<
    (Omit<Relation, "owner" | "keys"> & { owner: string | null; keys: string[][] | null })[]
  >(`
    with origins as (${COLUMN_ORIGINS})
    select relname as name, relkind in ('r', 'p') as "isTable",
      coalesce((
        select behind.relname from origins join pg_class as behind on behind.oid = "table" where relation = pg_class.oid limit 1
      ), relname) as base,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
      coalesce(
        (select attname::text from pg_constraint
          join pg_attribute on attrelid = conrelid and attnum = conkey[1]
          where conrelid = pg_class.oid and contype = 'f' and confrelid = 'auth.users'::regclass limit 1),
        (select attname::text from pg_attribute where relkind = 'v' and attrelid = pg_class.oid and attname = 'user_id')
      ) as owner,
      (select jsonb_agg(names.list) from pg_index
        cross join lateral (
          select jsonb_agg(attname order by origin) as list
          from origins join pg_attribute on attrelid = relation and pg_attribute.attnum = origins.attnum
          where relation = pg_class.oid and "table" = indrelid and origin = any (indkey)
        ) as names
        where indisunique and jsonb_array_length(names.list) = indnkeyatts) as keys
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by 1`);
  return found.map(({ owner, keys, ...rest }) => ({ ...rest, owner: owner ?? undefined, keys: keys ?? [] }));
}

/** A client of the data API that says what came back, whatever it was. */
export function createAsker(product: TestProduct) {
  const ask = async (authorization: Record<string, string>, question: Question): Promise<Answer> => {
    const { method, path, body, prefer, headers = {} } = question;
    const answer = await fetch(`${product.url}/rest/v1/${path}`, {
      method,
      headers: {
        apikey: product.publishableKey,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(prefer === undefined ? {} : { prefer }),
        ...authorization,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const [, code = ""] = /^\{.*"code":"(\w+)"/s.exec(text) ?? [];
    return { status: answer.status, code, text, headers: answer.headers };
  };
  return {
    asGuest: (question: Question) => ask({}, question),
    withToken: (token: string, question: Question) => ask({ authorization: `Bearer ${token}` }, question),
    withHeaders: ask,
    as: async ({ client }: Person, question: Question) =>
      ask({ authorization: `Bearer ${await tokenOf(client)}` }, question),
  };
}

export type Asker = ReturnType<typeof createAsker>;

export async function tokenOf(client: Person["client"]): Promise<string> {
  return (await client.auth.getSession()).data.session?.access_token ?? "";
}

/** Puts exactly these rows into the served tables; no trigger runs, so that each row is what it says. */
export async function putRows(
  { database: { sql } }: TestProduct,
  rows: Record<string, Row[]>,
): Promise<void> {
  const statements = Object.entries(rows).flatMap(([name, list]) => [
    `delete from public.${name}`,
    ...list.map((row) => insertion(name, row)),
  ]);
  // Several statements in one message are one transaction.
  await sql.unsafe(["set local session_replication_role = replica", ...statements].join(";")).simple();
}

const GENERATED_COLUMNS = ["is_first"];

export function insertion(name: string, row: Row): string {
  const json = JSON.stringify(row).replaceAll("'", "''");
  const columns = Object.keys(row).filter((column) => !GENERATED_COLUMNS.includes(column));
  return `insert into public.${name} (${columns}) select ${columns} from jsonb_populate_record(null::public.${name}, '${json}')`;
}

/** Every row of every schema that names this account, table by table, as text. */
export async function tracesOf({ database: { sql } }: TestProduct, userId: string): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p') and nspname !~ '^(pg_|information_schema)' order by 1`;
  const queries = tables.map(
    ({ name }) => `select '${name} ' || t::text as row from ${name} as t where t::text like '%' || $1 || '%'`,
  );
  const rows = await sql.unsafe<{ row: string }[]>(`${queries.join(" union all ")} order by 1`, [userId]);
  return rows.map(({ row }) => row);
}

export type ServedFunction = { name: string; signature: string };

export const readFunctions = ({ database: { sql } }: TestProduct) => sql<ServedFunction[]>`
  select proname as name, format('%s(%s)', proname, oidvectortypes(proargtypes)) as signature
  from pg_proc where pronamespace = 'public'::regnamespace order by 2`;

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
    ...names.flatMap(({ schema, name, is_function }) => {
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
      return [
        ...["GET", "POST"].flatMap((method) => {
          const body = method === "POST" ? { body: {} } : {};
          return [
            ...spellings.map((spelling) => ({ method, path: `${prefix}${spelling}`, ...body })),
            { method, path: `${prefix}${name}`, headers: profiles, ...body },
            ...(isAlone ? [{ method, path: `${prefix}${name}`, headers: one, ...body }] : []),
          ];
        }),
        ...["HEAD", "PATCH", "DELETE"].map((method) => ({
          method,
          path: `${prefix}${name}`,
          headers: profiles,
        })),
        // Embedding is refused wherever it is asked for, so one place to ask is enough.
        ...(isAlone && !is_function
          ? [name, `${schema}.${name}`].map((embedded) => ({
              method: "GET",
              path: `${served[0]}?select=*,${embedded}(*)`,
            }))
          : []),
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
