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

/** Text that is in Alice's rows, and must not be in an answer to anyone else. */
const MARKS = ["alices-own", "alice@example.com", "$2b$", "$2a$"];

const leaks = ({ text, headers }: Answer) =>
  MARKS.filter((mark) => `${text} ${[...headers.values()].join(" ")}`.includes(mark));

const inWords = ({ method, path, prefer = "", headers = {}, body }: Question) =>
  [method, path, prefer, JSON.stringify(headers), JSON.stringify(body)].join(" ");

export type Actor = (question: Question) => Promise<Answer>;
export type IsRight = (answer: Answer, question: Question) => boolean | Promise<boolean>;

/** Asks a few questions at a time and returns those that were answered wrongly or with Alice's data, with the answer. */
export async function wrongAnswers(questions: Question[], actor: Actor, isRight: IsRight): Promise<string[]> {
  const wrong: string[] = [];
  const queue = [...questions];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const answer = await actor(next);
      if ((await isRight(answer, next)) && leaks(answer).length === 0) continue;
      wrong.push(`${inWords(next)} => ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return wrong;
}
