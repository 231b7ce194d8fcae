// How the data API answers changes, calls and invalid requests, compared with PostgREST; where possible through an
// unmodified supabase-js.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ROWS_OF_THINGS, THINGS } from "#test/rest-questions/rest-things.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { type RestQuestion, startTestRestApi, type TestRestApi } from "#test/test-rest-api.ts";

const PERSON = "00000000-0000-4000-8000-000000000001";
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

test("one or many rows are inserted with the columns they name, and returned if requested", async () => {
  const things = () => rest.clientOf().from("things");
  expect(await things().insert({ id: 10, name: "ten" })).toMatchObject({
    status: 201,
    data: null,
    error: null,
  });
  const shown = await things()
    .insert([
      { id: 11, tags: ["x"] },
      { id: 12, details: { a: [1, null] }, price: "3.456" },
    ])
    .select("id, tags, details, price, note");
  // Columns that only one of them names are null in the other.
  expect(shown.data).toEqual([
    { id: 11, tags: ["x"], details: null, price: null, note: "a default" },
    { id: 12, tags: null, details: { a: [1, null] }, price: 3.46, note: "a default" },
  ]);
  const defaults = await things()
    .insert(
      [
        { id: 13, note: "own" },
        { id: 14, name: "n" },
        { id: 15, note: null },
      ],
      { defaultToNull: false },
    )
    .select("id, note")
    .order("id", { ascending: false });
  expect(defaults.data).toEqual([
    { id: 15, note: null },
    { id: 14, note: "a default" },
    { id: 13, note: "own" },
  ]);
  expect((await things().insert([])).status).toBe(201);
  const counted = await things().insert([{ id: 16 }, { id: 17 }], { count: "exact" });
  expect([counted.status, counted.count]).toEqual([201, 2]);
});

test("an upsert merges or ignores by the key it names, otherwise by the primary key", async () => {
  const things = () => rest.clientOf().from("things");
  const merged = await things().upsert({ id: 1, price: 9 }).select("id, name, price");
  expect(merged.data).toEqual([{ id: 1, name: "one", price: 9 }]);
  const byName = await things().upsert({ id: 20, name: "one" }, { onConflict: "name" }).select("id, price");
  expect(byName.data).toEqual([{ id: 20, price: 9 }]);
  const ignored = await things()
    .upsert(
      [
        { id: 20, price: 1 },
        { id: 21, price: 2 },
      ],
      { ignoreDuplicates: true },
    )
    .select("id");
  expect(ignored.data).toEqual([{ id: 21 }]);
  const { error } = await things().upsert({ id: 2 }, { onConflict: "price" });
  expect(error?.code).toBe("42P10");
});

test("rows are updated and deleted by filters, and returned if requested", async () => {
  const things = () => rest.clientOf().from("things");
  expect(
    await things()
      .update({ tags: ["z"], details: { b: 1 } })
      .eq("id", 1),
  ).toMatchObject({ status: 204 });
  const shown = await things().update({ small: 7 }).gt("id", 2).select("id, small, details->b").order("id");
  expect(shown.data).toEqual([
    { id: 3, small: 7, b: null },
    { id: 4, small: 7, b: null },
  ]);
  const counted = await things().update({ small: 1 }, { count: "exact" }).or("id.eq.1,id.eq.2");
  expect([counted.status, counted.count]).toEqual([204, 2]);
  const deleted = await things().delete().in("id", [1, 2]).select("id, tags");
  expect(deleted.data).toEqual([
    { id: 1, tags: ["z"] },
    { id: 2, tags: ["b"] },
  ]);
  expect(await things().delete({ count: "exact" }).eq("id", 99)).toMatchObject({ status: 204, count: 0 });
});

test("functions take named arguments and return a value, an object, a list or nothing", async () => {
  const client = rest.clientOf();
  const call = async (name: string, args = {}, options = {}) => (await client.rpc(name, args, options)).data;
  expect(await call("add_up", { first: 1, second: 2 })).toBe(3);
  expect(await call("add_up", { first: 1 }, { get: true })).toBe(2);
  expect(await call("add_up", { first: null })).toBeNull();
  expect(await call("echo", { document: { a: ["x", 1.5, null] }, list: ["a,b", '"'] })).toEqual({
    document: { a: ["x", 1.5, null] },
    list: ["a,b", '"'],
  });
  expect(await call("echo", { document: '{"a":1}', list: ["a", "b"] }, { get: true })).toEqual({
    document: { a: 1 },
    list: ["a", "b"],
  });
  expect(await call("count_to", { last: 3 })).toEqual([1, 2, 3]);
  expect(await call("count_to", { last: 0 })).toEqual([]);
  expect(await call("pairs")).toEqual([
    { number: 1, word: "one" },
    { number: 2, word: null },
  ]);
  expect(await call("first_thing")).toMatchObject({ id: 1, name: "one" });
  expect(await client.rpc("nothing")).toMatchObject({ status: 204, data: null, error: null });
  const head = await rest.ask({ path: "rpc/add_up?first=1", method: "HEAD" });
  expect([head.status, head.text]).toEqual([200, ""]);
});

test("READ-02 a function that may change data can only be called by POST, and reading changes nothing", async () => {
  const { status, headers } = await rest.ask({ path: "rpc/nothing" });
  expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  expect((await rest.ask({ path: "rpc/nothing", method: "HEAD" })).status).toBe(405);
});

test.each<[string, RestQuestion, number, string]>([
  ["an unknown table", { path: "nowhere" }, 404, "PGRST205"],
  ["a table without rights", { path: "secrets" }, 404, "PGRST205"],
  ["an unknown function", { path: "rpc/nowhere" }, 404, "PGRST202"],
  ["a function of another schema", { path: "rpc/not_served", method: "POST" }, 404, "PGRST202"],
  ["a missing argument", { path: "rpc/add_up", method: "POST", body: "{}" }, 404, "PGRST202"],
  ["an unknown argument", { path: "rpc/nothing", method: "POST", body: '{"x":1}' }, 404, "PGRST202"],
  ["an unknown argument by GET", { path: "rpc/add_up?first=1&x=1" }, 400, "PGRST100"],
  ["an argument twice", { path: "rpc/add_up?first=1&first=2" }, 400, "PGRST100"],
  ["an argument of another type", { path: "rpc/add_up?first=x" }, 400, "22P02"],
  ["an unknown column", { path: "things?select=nowhere" }, 400, "42703"],
  ["an unknown column to sort by", { path: "things?order=nowhere" }, 400, "42703"],
  ["an unknown column to filter by", { path: "things?nowhere=eq.1" }, 400, "42703"],
  ["an unknown column to set", { path: "things", method: "POST", body: '{"nowhere":1}' }, 400, "PGRST204"],
  ["a value of another type", { path: "things?id=eq.x" }, 400, "22P02"],
  ["a value out of range", { path: "things?small=eq.40000" }, 400, "22003"],
  ["a number out of range", { path: "things", method: "POST", body: '{"id":5,"small":40000}' }, 400, "22003"],
  ["an unreadably large number", { path: "things", method: "POST", body: '{"id":1e400}' }, 400, "PGRST102"],
  [
    "a number that would be rounded",
    { path: "things", method: "POST", body: '{"id":9007199254740993}' },
    400,
    "PGRST102",
  ],
  ["an operator the type does not have", { path: "things?id=like.1*" }, 400, "42883"],
  ["`in` on a list", { path: "things?tags=in.({a})" }, 400, "PGRST100"],
  ["a key that is taken", { path: "things", method: "POST", body: '{"id":1}' }, 409, "23505"],
  ["a reference to nothing", { path: "parts", method: "POST", body: '{"id":1,"thing_id":9}' }, 409, "23503"],
  ["a null in a non-null column", { path: "things", method: "POST", body: '{"id":null}' }, 400, "23502"],
  [
    "a row twice in an upsert",
    {
      path: "things",
      method: "POST",
      headers: { prefer: "resolution=merge-duplicates" },
      body: '[{"id":5},{"id":5}]',
    },
    400,
    "21000",
  ],
  ["another schema", { path: "things", headers: { "accept-profile": "auth" } }, 406, "PGRST106"],
  ["a media type we do not have", { path: "things", headers: { accept: "text/csv" } }, 406, "PGRST107"],
  [
    "a form",
    { path: "things", method: "POST", body: "id=1", headers: { "content-type": "text/plain" } },
    415,
    "PGRST102",
  ],
  [
    "a preference we do not have, of a strict client",
    { path: "things", headers: { prefer: "handling=strict, max-affected=1" } },
    400,
    "PGRST122",
  ],
])("READ-02 %s is refused with PostgREST's code", async (_, question, status, code) => {
  const answer = await rest.ask(question);
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    status,
    { code, details: null, hint: null, message: expect.stringMatching(/^[A-Z`]/) },
  ]);
});

test("errors raised by our own functions are answered with their status, message and details; errors of PostgreSQL are not", async () => {
  const raise = async (state: string) => {
    const { status, error } = await rest.clientOf().rpc("fail", { state });
    return [status, error?.code, error?.message, error?.details];
  };
  expect(await raise("PT409")).toEqual([409, "PT409", "in words", "a-code"]);
  expect(await raise("22023")).toEqual([400, "22023", "in words", "a-code"]);
  expect(await raise("P0001")).toEqual([400, "P0001", "This change is not allowed", null]);
  expect(await raise("42501")).toEqual([401, "42501", "Permission denied", null]);
  expect(await raise("40001")).toEqual([503, "08006", "The database is temporarily unavailable", null]);
  const asked = await rest.ask({ path: "things?made_at=eq.2026-01-01T00:00:00%20Canary/City" });
  expect([asked.status, asked.text]).toEqual([400, expect.not.stringContaining("Canary")]);
});

test("a violated check names its constraint in the details, and a person without the right gets 403", async () => {
  const { error } = await rest.clientOf().from("things").update({ price: -1 }).eq("id", 1);
  expect(error).toMatchObject({ code: "23514", details: "price_is_positive" });
  const guest = await rest.ask({ path: "profiles" });
  expect([guest.status, guest.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  expect((await rest.ask({ path: "demo_listings", method: "DELETE" }, PERSON)).status).toBe(403);
});

test.each([undefined, "sb_publishable_another", ""])("the API key %j is refused", async (apikey) => {
  const headers = apikey === undefined ? {} : { apikey };
  const answer = await rest.api(new Request("http://localhost/rest/v1/things", { headers }), "192.0.2.1");
  expect([answer.status, await answer.json()]).toEqual([
    401,
    expect.objectContaining({ details: null, hint: null }),
  ]);
});

test("an API key in the URL is refused, because URLs are logged", async () => {
  expect((await rest.ask({ path: "things?apikey=sb_publishable_of_the_test" })).status).toBe(400);
  expect((await rest.ask({ path: "rpc/pairs?apikey=sb_publishable_of_the_test" })).status).toBe(400);
});

test("an aroundCall hook sees the parsed arguments and decides whether the call runs", async () => {
  const seen: unknown[] = [];
  const guarded = await startTestRestApi(database.url, database.sql, {
    aroundCall: new Map([
      [
        "add_up",
        async ({ args, bearer, caller }, run) => {
          seen.push([...args], bearer.userId, caller.address);
          return args.get("first") === 1 ? run() : new Response("no", { status: 403 });
        },
      ],
    ]),
  });
  const call = (args: object, person?: string) => guarded.clientOf(person).rpc("add_up", args);
  expect((await call({ first: 1 }, PERSON)).data).toBe(2);
  expect((await call({ second: 3, first: 2 }, PERSON)).status).toBe(403);
  expect(seen).toEqual([
    [["first", 1]],
    PERSON,
    "192.0.2.1",
    [
      ["second", 3],
      ["first", 2],
    ],
    PERSON,
    "192.0.2.1",
  ]);
  // A guest has no proof to give: the function itself must refuse.
  expect((await call({ first: 2 })).data).toBe(3);
  await guarded.stop();
});
