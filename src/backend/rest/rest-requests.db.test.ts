import { afterAll, beforeAll, expect, test } from "vitest";
import {
  expectCleanObjects,
  type Question,
  type RestAsker,
  startRestAsker,
} from "#test/rest-questions/rest-asker.ts";

let asker: RestAsker;

beforeAll(async () => {
  asker = await startRestAsker();
});

afterAll(() => asker.product.stop());

const bytes = (...codes: number[]) => Uint8Array.from(codes);

/** A few names for each case, so that the cases together ask all. Headers and bodies are read in the same way for each name. */
function takeTurns(namesOf: (from: RestAsker) => string[], perCase: number): () => string[] {
  let turn = 0;
  return () => {
    const names = namesOf(asker);
    return Array.from({ length: perCase }, () => names[turn++ % names.length] ?? "");
  };
}
const nextTables = takeTurns(({ tables }) => tables, 6);
const nextFunctions = takeTurns(({ functions }) => functions, 4);

test.each<[string, Omit<Question, "path" | "method">]>([
  ["no JSON", { body: "{bad" }],
  ["an unfinished text", { body: '{"a":"' }],
  ["bytes that are no UTF-8", { body: bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d) }],
  ["half of a character", { body: '{"filter_url":"\\ud83c"}' }],
  ["a null character", { body: '{"filter_url":"a\\u0000b"}' }],
  ["a null character in a name", { body: '{"a\\u0000b":1}' }],
  ["a number", { body: "5" }],
  ["a text", { body: '"x"' }],
  ["null", { body: "null" }],
  ["a list of numbers", { body: "[1,2]" }],
  ["a list of lists", { body: "[[]]" }],
  ["an empty list", { body: "[]" }],
  ["rows that differ", { body: '[{"filter_url":"x"},{"receiver_ids":[]}]' }],
  ["1,001 rows", { body: JSON.stringify(Array(1_001).fill({ filter_url: "x" })) }],
  ["1,000 rows", { body: JSON.stringify(Array(1_000).fill({ filter_url: "x" })) }],
  ["deep nesting", { body: `{"receiver_ids":${"[".repeat(100_000)}${"]".repeat(100_000)}}` }],
  ["nesting of 1,000", { body: `{"receiver_ids":${"[".repeat(1_000)}${"]".repeat(1_000)}}` }],
  ["an unknown column", { body: '{"nothing":1}' }],
  ["a prototype", { body: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}' }],
  [
    "values of other types",
    { body: '{"user_id":5,"filter_url":{},"receiver_ids":"x","is_paused":"perhaps"}' },
  ],
  ["huge numbers", { body: '{"user_id":1e400,"receiver_ids":[1e308,99999999999999999999]}' }],
  ["objects in a list", { body: '{"receiver_ids":[{"a":1},null,[1]]}' }],
  ["an id of nobody", { body: `{"user_id":"${crypto.randomUUID()}","filter_url":"x","receiver_ids":["1"]}` }],
  ["no body", {}],
  ["a form", { body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } }],
  ["a table of commas", { body: "filter_url\nx", headers: { "content-type": "text/csv" } }],
  ["another type", { body: "{}", headers: { "content-type": "application/octet-stream" } }],
  ["a type that looks like JSON", { body: "{}", headers: { "content-type": "application/jsonx" } }],
])(
  "DOOR-12 a body that is or holds %s is answered in our words by every table, and by functions in turn",
  async (_, question) => {
    const { tables, expectOurWords } = asker;
    for (const table of tables) {
      await expectOurWords({ path: table, method: "POST", ...question });
      await expectOurWords({ path: `${table}?id=is.null`, method: "PATCH", ...question });
    }
    await expectOurWords({
      path: "filter_settings?on_conflict=user_id&columns=user_id,filter_url",
      method: "POST",
      ...question,
      headers: { prefer: "resolution=merge-duplicates,return=representation", ...question.headers },
    });
    for (const name of nextFunctions())
      await expectOurWords({ path: `rpc/${name}`, method: "POST", ...question });
    expectCleanObjects();
  },
);

test.each<[string, string]>([
  ["range", "0-0"],
  ["range", "5-1"],
  ["range", "x-y"],
  ["range", "0-99999999999999999999999"],
  ["range", "99999999999999999999999-"],
  ["range", "bytes=0-1"],
  ["range", "-1"],
  ["prefer", "count=exact"],
  ["prefer", "count=nothing,return=nothing"],
  ["prefer", "handling=strict,nonsense=1"],
  ["prefer", "timezone=Nowhere/Nothing"],
  ["prefer", "timezone=' ; select 1"],
  ["prefer", "max-affected=x,handling=strict"],
  ["prefer", "max-affected=-1"],
  ["prefer", "tx=rollback"],
  ["prefer", "return=headers-only"],
  ["prefer", "missing=default,resolution=x"],
  ["prefer", "=,=,="],
  ["prefer", "__proto__=1"],
  ["prefer", "params=single-object"],
  ["accept", "application/vnd.pgrst.plan+json; options=analyze|verbose"],
  ["accept", "application/vnd.pgrst.object+json"],
  ["accept", "application/vnd.pgrst.object+json;nulls=stripped"],
  ["accept", "text/csv"],
  ["accept", "application/octet-stream"],
  ["accept", "application/geo+json"],
  ["accept", "image/png"],
  ["accept", "nonsense"],
  ["accept", "*/*;q=x"],
  ["accept", ""],
  ["accept-profile", "auth"],
  ["content-profile", "private"],
  ["accept-profile", "'"],
  ["x-odd", "\u00ff"],
  ["apikey", "\u00ff"],
])("DOOR-12 a header %s: %s is answered in our words", { tags: "long" }, async (name, value) => {
  const { alice, expectOurWords } = asker;
  for (const path of nextTables()) {
    for (const method of ["GET", "HEAD"]) await expectOurWords({ path, method, headers: { [name]: value } });
  }
  const body = JSON.stringify({ user_id: alice.id, filter_url: "x", receiver_ids: ["1"] });
  await expectOurWords({ path: "filter_settings", method: "POST", body, headers: { [name]: value } });
  await expectOurWords({
    path: "filter_settings?id=is.null",
    method: "PATCH",
    body,
    headers: { [name]: value },
  });
  for (const path of nextFunctions()) {
    await expectOurWords({ path: `rpc/${path}`, method: "POST", body: "{}", headers: { [name]: value } });
    await expectOurWords({ path: `rpc/${path}`, headers: { [name]: value } });
  }
});

const ESCAPED = "%6D%61%74%63%68";
test.each([
  "filter_url=match.x",
  "filter_url=imatch.x",
  "filter_url=not.match.x",
  "filter_url=not.imatch.x",
  "filter_url=match(any).{x,y}",
  "filter_url=imatch(all).{x}",
  "filter_url=not.match(any).{x}",
  `filter_url=${ESCAPED}.x`,
  `filter_url=i${ESCAPED}%2Ex`,
  "filter_url=match",
  "filter_url=match.",
  "filter_url=MATCH.x",
  "filter_url=+match.x",
  "filter_url=eq.x&filter_url=match.x",
  "or=(filter_url.match.x,id.is.null)",
  "or=(id.is.null,filter_url.imatch.x)",
  "and=(filter_url.not.match.x)",
  "not.or=(filter_url.match.x)",
  "not.and=(filter_url.match(any).{x})",
  "or=(and(filter_url.match.x))",
  "or=(not.and(or(filter_url.imatch.x)))",
  "or=(filter_url.match)",
  `or=(filter_url.${ESCAPED}.x)`,
  'or=("filter_url".match.x)',
  'or=(filter_url.match."x")',
  "filter_url->>a=match.x",
  "profiles.full_name=match.x&select=*,profiles(*)",
  "profiles.or=(full_name.match.x)&select=*,profiles(*)",
  "profiles.not.or=(full_name.imatch.x)&select=*,profiles(*)",
])("DOOR-02 a regular expression as in ?%s is refused in our words", async (query) => {
  for (const [method, path] of [
    ["GET", "filter_settings"],
    ["HEAD", "filter_settings"],
    ["DELETE", "filter_settings"],
    ["PATCH", "filter_settings"],
    ["GET", "rpc/my_watches"],
    ["POST", "rpc/export_my_data"],
  ] as const) {
    const body = method === "PATCH" || method === "POST" ? { body: '{"filter_url":"x"}' } : {};
    const { status, text } = await asker.ask({ path: `${path}?${query}`, method, ...body });
    expect([method, path, status]).toEqual([method, path, 400]);
    if (method !== "HEAD")
      expect(text).toMatch(/Regular expressions are not offered|related tables are not supported/);
  }
});

test("DOOR-02 a value that only reads like an operator is a value", async () => {
  for (const query of ["filter_url=eq.match", "filter_url=eq.a.match.b", "filter_url=like.*match*"]) {
    expect((await asker.ask({ path: `filter_settings?${query}` })).status, query).toBe(200);
  }
});
