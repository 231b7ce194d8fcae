// How the data API answers reads, compared with PostgREST; where possible through an unmodified supabase-js.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ROWS_OF_THINGS, THINGS } from "#test/rest-questions/rest-things.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { type RestQuestion, startTestRestApi, type TestRestApi } from "#test/test-rest-api.ts";

let database: TestDatabase;
let rest: TestRestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.unsafe(THINGS);
  rest = await startTestRestApi(database.url, database.sql);
});

afterAll(async () => {
  await rest.stop();
  await database.drop();
});

beforeEach(() => database.sql.unsafe(ROWS_OF_THINGS));

const idsOf = async (query: string) => {
  const { status, text } = await rest.ask({ path: `things?select=id&order=id&${query}` });
  return status === 200
    ? JSON.parse(text).map(({ id }: { id: number }) => id)
    : [status, JSON.parse(text).code];
};

test.each<[string, number[]]>([
  ["id=eq.2", [2]],
  ["id=neq.2", [1, 3, 4]],
  ["id=gt.1&id=lte.3", [2, 3]],
  ["id=gte.4", [4]],
  ["id=lt.2", [1]],
  ["id=not.eq.2", [1, 3, 4]],
  ["id=in.(1,3)", [1, 3]],
  ["id=not.in.(1,3)", [2, 4]],
  ["id=in.()", []],
  ["id=not.in.()", [1, 2, 3, 4]],
  ['name=in.("two, and",one)', [1, 2]],
  ['name=in.("three \\"3\\"")', [3]],
  ['name=in.(three "3")', [3]],
  ["name=is.null", [4]],
  ["name=not.is.null", [1, 2, 3]],
  ["name=is.not_null", [1, 2, 3]],
  ["is_old=is.TRUE", [1, 4]],
  ["is_old=is.unknown", [3]],
  ["is_old=eq.false", [2]],
  ["name=like.*o*", [1, 2]],
  ["name=like.o_e", [1]],
  ["name=ilike.ONE", [1]],
  ["name=not.like.t%25", [1]],
  ["tags=cs.{b}", [1, 2]],
  ["tags=eq.{a,b}", [1]],
  ['details=cs.{"size":{"m2":40}}', [1]],
  ["details->size->>m2=eq.80", [2]],
  ["details->size->m2=gt.50", [2]],
  ["details->list->1=eq.20", [1]],
  ["details->list->>-1=eq.20", [1]],
  ['details->>"a b"=eq.x', [1]],
  ["details->>a b=in.(x,y)", [1]],
  ["tags->>0=eq.b", [2]],
  ["made_at=gte.2026-01-31T10:00:00Z&id=eq.1", [1]],
  ["or=(id.eq.1,id.eq.3)", [1, 3]],
  ["or=(id.eq.1,and(id.gt.2,is_old.is.true))", [1, 4]],
  ["and=(id.gt.1,not.or(id.eq.2,id.eq.3))", [4]],
  ["not.or=(id.eq.1,id.eq.2)", [3, 4]],
  ['or=(name.eq."two, and",name.like.*3*)', [2, 3]],
  ['or=(name.in.("two, and",x),tags.cs.{a,b})', [1, 2]],
  ["or=( id.eq.1 , id.in.( 3 , 4 ) )", [1, 3, 4]],
  ["or=(details->size->>m2.eq.80,id.not.in.(1,2,3))", [2, 4]],
  ["limit=2", [1, 2]],
  ["limit=2&offset=1", [2, 3]],
  ["limit=0", []],
  ["limit=5000&offset=3", [4]],
])("?%s finds %j", async (query, ids) => {
  expect(await idsOf(query.replaceAll(" ", "%20").replaceAll('"', "%22"))).toEqual(ids);
});

test("rows are JSON as in PostgREST: ISO times, numbers as numbers, aliases and JSON paths with their names", async () => {
  const guest = rest.clientOf();
  const things = guest.from("things");
  expect((await things.select().eq("id", 1).single()).data).toEqual({
    id: 1,
    name: "one",
    tags: ["a", "b"],
    details: { size: { m2: 40 }, list: [10, 20], "a b": "x" },
    made_at: "2026-01-31T10:00:00+00:00",
    is_old: true,
    price: 1.5,
    small: 1,
    note: "a default",
  });
  const aliased = things.select(
    "number:id, details->size->m2, area:details->size->>m2, details->list->0, name",
  );
  expect((await aliased.lt("id", 3).order("id", { ascending: false })).data).toEqual([
    { number: 2, m2: 80, area: "80", list: null, name: "two, and" },
    { number: 1, m2: 40, area: "40", list: 10, name: "one" },
  ]);
  expect((await things.select("*, again:id").eq("id", 3)).data).toMatchObject([
    { id: 3, again: 3, small: 3 },
  ]);
  // Names with a meaning in JavaScript or SQL are ordinary names here.
  const quoted = await rest.ask({
    path: `things?id=eq.1&select=${encodeURIComponent(`"x'\\" --":id,__proto__:id`)}`,
  });
  expect(quoted.text).toBe(`[{"x'\\" --" : 1, "__proto__" : 1}]`);
});

test("order accepts directions, null placement and JSON paths", async () => {
  const ids = async (order: string) =>
    JSON.parse((await rest.ask({ path: `things?select=id&order=${order}` })).text).map(
      ({ id }: { id: number }) => id,
    );
  expect(await ids("small.desc.nullslast")).toEqual([4, 3, 1, 2]);
  expect(await ids("small.nullsfirst")).toEqual([2, 1, 3, 4]);
  expect(await ids("is_old.asc.nullsfirst,id.desc")).toEqual([3, 2, 4, 1]);
  expect(await ids("details->size->m2.desc.nullslast,id")).toEqual([2, 1, 3, 4]);
});

test("counts and ranges are returned in Content-Range, with PostgREST's status", async () => {
  const told = async (question: RestQuestion) => {
    const { status, headers, text } = await rest.ask(question);
    return [status, headers.get("content-range"), headers.get("preference-applied"), text.length > 0];
  };
  const exact = { prefer: "count=exact" };
  expect(await told({ path: "things?select=id" })).toEqual([200, "0-3/*", null, true]);
  expect(await told({ path: "things?select=id&id=eq.9" })).toEqual([200, "*/*", null, true]);
  expect(await told({ path: "things?select=id", headers: exact })).toEqual([
    200,
    "0-3/4",
    "count=exact",
    true,
  ]);
  expect(await told({ path: "things?limit=2&offset=1", headers: exact })).toEqual([
    206,
    "1-2/4",
    "count=exact",
    true,
  ]);
  expect(
    await told({ path: "things?id=gt.2", method: "HEAD", headers: { prefer: "count=planned" } }),
  ).toEqual([200, "0-1/2", "count=planned", false]);
  expect(await told({ path: "things", headers: { range: "1-2", ...exact } })).toEqual([
    206,
    "1-2/4",
    "count=exact",
    true,
  ]);
  expect(await told({ path: "things?limit=1", headers: { range: "2-" } })).toEqual([200, "*/*", null, true]);
  expect((await told({ path: "things?offset=5", headers: exact }))[0]).toBe(416);
  expect((await told({ path: "things", headers: { range: "3-1" } }))[0]).toBe(416);
  const { count, data } = await rest.clientOf().from("things").select("id", { count: "exact", head: true });
  expect({ count, data }).toEqual({ count: 4, data: null });
});

test("a read returns at most 1,000 rows", async () => {
  await database.sql`insert into public.things (id) select generate_series(10, 2000)`;
  expect((await rest.clientOf().from("things").select("id").limit(5_000)).data).toHaveLength(1_000);
  expect((await rest.clientOf().rpc("count_to", { last: 1_500 })).data).toHaveLength(1_000);
});

test("single() and maybeSingle() are answered like PostgREST, and a change that is not single is rolled back", async () => {
  const client = rest.clientOf();
  const none = await client.from("things").select("id").eq("id", 9).single();
  expect([none.status, none.error?.code, none.error?.details]).toEqual([
    406,
    "PGRST116",
    "The result contains 0 rows",
  ]);
  expect((await client.from("things").select("id").eq("id", 9).maybeSingle()).data).toBeNull();
  expect((await client.from("things").select("id").eq("id", 2).maybeSingle()).data).toEqual({ id: 2 });
  const many = await client.from("things").update({ name: null }).gt("id", 0).select("id").single();
  expect([many.status, many.error?.code]).toEqual([406, "PGRST116"]);
  expect(await idsOf("name=is.null")).toEqual([4]);
  const one = await rest.ask({
    path: "things?id=eq.1&select=id",
    headers: { accept: "application/vnd.pgrst.object+json" },
  });
  expect([one.text, one.headers.get("content-type")]).toEqual([
    '{"id":1}',
    "application/vnd.pgrst.object+json; charset=utf-8",
  ]);
});
