import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  expectCleanObjects,
  type Question,
  type RestAsker,
  startRestAsker,
} from "#test/rest-questions/rest-asker.ts";
import { drawn } from "#test/seeded.ts";

let asker: RestAsker;

beforeAll(async () => {
  asker = await startRestAsker();
});

afterAll(() => asker.product.stop());

const QUERIES = [
  "order=id%00",
  "order=id.asc.asc",
  "order=",
  "order=,",
  "order=nothing",
  'order="id"',
  "order=id::text",
  "order=id->x->>y",
  "order=profiles(id)",
  "order=__proto__",
  "select=%22",
  "select=%22id",
  "select=%00",
  "select=id::record",
  "select=id::regclass",
  "select=id::public.profiles",
  "select=id::text::record",
  "select=id::%22char%22",
  "select=id::json::int",
  "select=id::int",
  "select=id::jsonb",
  "select=created_at::date",
  "select=id:id:id",
  "select=*::text",
  "select=count()",
  "select=id.count()",
  "select=id.sum()",
  "select=id.sum()::text",
  "select=nothing",
  "select=profiles(*)",
  "select=...profiles(*)",
  "select=a(b(c(d(e(f(g(*)))))))",
  `select=${"a(".repeat(900)}${")".repeat(900)}`,
  `select=${"(".repeat(2_000)}`,
  `select=${"id,".repeat(2_000)}id`,
  "select=__proto__(id)&__proto__.polluted=eq.1",
  "select=__proto__:id",
  "select=constructor(*)",
  "select=id->>%27x%27",
  "select=id->x->y",
  "select=details->>x->y",
  "select=details-%3E%3E%22a%22",
  "select=id--",
  "select=)",
  "select=*,*",
  "__proto__=eq.1",
  "__proto__.polluted=eq.1",
  "constructor=eq.1",
  "constructor.prototype=eq.1",
  "toString=eq.1",
  "hasOwnProperty=eq.1",
  "id=",
  "id=eq",
  "id=eq.",
  "id=eq.%00",
  "id=eq.%FF",
  "id=eq.%C0%80",
  "id=eq.%ED%A0%80",
  "id=eq.%",
  "id=eq.%zz",
  "id=eq.x",
  "id=eq.{}",
  'id=eq.{"a":1}',
  "id=eq.[]",
  "id=eq.null",
  "id=is.null",
  "id=is.x",
  "id=is.not_null",
  "id=not.is.null",
  "id=not.not.eq.1",
  "id=in.",
  "id=in.(",
  "id=in.()",
  "id=in.(1,2)",
  'id=in.("',
  `id=in.(${"1,".repeat(3_000)}1)`,
  "id=gt.99999999999999999999999999999",
  "id=lt.-1e308",
  "id=eq.1e400",
  "id=like.*",
  `id=like.${"%25".repeat(2_000)}`,
  "id=ilike(any).{a,b}",
  "id=ilike(all).x",
  "id=eq(any).{",
  "id=eq(some).{1}",
  "id=cs.{",
  "id=cs.{1}",
  "id=cd.[1]",
  "id=ov.(1)",
  "id=sl.[1,2)",
  "id=adj.x",
  "id=fts.a b & |",
  "id=fts(nothing).x",
  "id=fts().x",
  "id=wfts(english).x",
  "id=unknown.1",
  "id=isdistinct.x",
  "nothing=eq.1",
  "id->x=eq.1",
  "id->>x->y=eq.1",
  '"id"=eq.1',
  "id::text=eq.1",
  "auth.users.id=eq.1",
  "limit=x",
  "limit=-1",
  "limit=1e9",
  "limit=99999999999999999999",
  "limit=0",
  "offset=-5",
  "offset=99999999999999999999",
  "offset=999999999",
  "or=",
  "or=(",
  "or=()",
  "or=(id)",
  "or=(id.eq.1",
  "or=(id.eq.x,id.eq.y)",
  "or=(and(id.is.null))",
  "or=(not.and(id.is.null,id.is.null))",
  "or=(,)",
  "or=x.eq.1",
  "and=(or(and(or(and(or(and(id.is.null)))))))",
  `and=${"(and".repeat(500)}`,
  `or=(${"id.is.null,".repeat(500)}id.is.null)`,
  "or=(__proto__.eq.1)",
  "or=(constructor.eq.1)",
  "or=(%22__proto__%22.eq.1)",
  "not.or=(id.is.null)",
  "not.and=(id.eq.x)",
  "on_conflict=nothing",
  "on_conflict=__proto__",
  "columns=nothing",
  "columns=__proto__",
  `${"id=is.null&".repeat(100)}`,
  `id=eq.${"x".repeat(8_000)}`,
  `id=eq.${"x".repeat(9_000)}`,
  "=eq.1",
  "&&&=&",
];

test("DOOR-12 every hostile query, to tables and functions in turn, gets one of our error messages and no server error", async () => {
  const { tables, functions, expectOurWords } = asker;
  for (const [turn, query] of QUERIES.entries()) {
    const table = tables[turn % tables.length];
    const name = functions[turn % functions.length];
    const questions: Question[] = [
      { path: `${table}?${query}` },
      { path: `rpc/${name}?${query}` },
      { path: `rpc/${name}?${query}`, method: "POST", body: "{}" },
      { path: `filter_settings?${query}`, method: "PATCH", body: '{"filter_url":"x"}' },
      { path: `filter_settings?id=is.null&${query}`, method: "DELETE" },
    ];
    await Promise.all(questions.map(expectOurWords));
  }
  expectCleanObjects();
});

test("DOOR-12 every operator on a column of every type, arrays and documents included, gets a result or one of our error messages", async () => {
  const values = '1 x {1} [1] {"a":1} null'.split(" ");
  const operators =
    "eq neq gt like ilike is in cs cd ov sl sr nxl nxr adj fts isdistinct eq(any) like(all)".split(" ");
  const { columns, expectOurWords } = asker;
  const ofEachType = new Map(columns.map((column) => [column.type, column]));
  expect(ofEachType.size).toBeGreaterThan(5);
  for (const { table, name } of ofEachType.values()) {
    for (const operator of operators) {
      const questions = values.map((value) => `${table}?select=${name}&${name}=${operator}.${value}`);
      await Promise.all(questions.map((path) => expectOurWords({ path: encodeURI(path) })));
    }
    const casts = ["text", "json", "int", "bool", "date", "uuid", "timestamptz", "float8"];
    await Promise.all(casts.map((cast) => expectOurWords({ path: `${table}?select=${name}::${cast}` })));
    await expectOurWords({ path: `${table}?select=${name}->a->>b&order=${name}->a.desc.nullslast` });
  }
});

test("DOOR-12 any combination of query fragments gets a result or one of our error messages", async () => {
  const word = fc.constantFrom(
    ..."id user_id details receiver_ids select order limit or and not eq in is cs match null 1 {} ( ) , . : :: -> ->> * ! \" ' \\ % + & = __proto__ constructor \0 \n é 🏮".split(
      " ",
    ),
  );
  const text = fc.array(word, { maxLength: 8 }).map((pieces) => pieces.join(""));
  const name = fc.constantFrom(
    ..."id user_id details receiver_ids select order limit or and not.or columns on_conflict".split(" "),
  );
  const parameter = fc.tuple(
    fc.oneof(name, text),
    fc.oneof(
      text,
      text.map((value) => `eq.${value}`),
      text.map((value) => `(${value})`),
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(parameter, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...asker.tables, ...asker.functions.map((path) => `rpc/${path}`)),
      async (parameters, path) => {
        const query = parameters.map(
          ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
        );
        await asker.expectOurWords({ path: `${path}?${query.join("&")}` });
      },
    ),
    drawn(200),
  );
  expectCleanObjects();
});

test("DOOR-12 none of these requests was a server error, and the log contains no driver errors", () => {
  const lines = asker.product.log().split("\n");
  expect(lines.filter((line) => /"status":5\d\d|request failed/.test(line))).toEqual([]);
});
