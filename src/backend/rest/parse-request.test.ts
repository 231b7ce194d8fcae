import { expect, test } from "vitest";
import { CATALOGUE } from "#test/rest-questions/fixed-catalogue.ts";
import { compileQuery } from "./compile-query.ts";
import { parseRequest, parseTarget } from "./parse-request.ts";
import { RequestRefused } from "./rest-error.ts";

type Asked = { method?: string; path: string; headers?: Record<string, string>; body?: string };

function read({ method = "GET", path, headers, body }: Asked) {
  const [name = "", search = ""] = path.split("?");
  const target = parseTarget(method, `/rest/v1/${name}`);
  if (!target) throw new Error("no such route");
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
  return parseRequest({ method, target, search, headers: new Headers(headers), body: bytes }, CATALOGUE);
}

function refusalOf(asked: Asked): string {
  try {
    return compileQuery(read(asked)).text;
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    return `${error.refusal.status} ${error.message}`;
  }
}

const of = (query: string) => ({ path: `things?${query}` });
const list = (count: number, item: string) => Array(count).fill(item).join(",");

test("READ-01 everything a caller sends is a parameter: values, lists, aliases, JSON keys, limits", () => {
  const query = read(
    of('select=x:a_text,a_jsonb->k->>2&a_text=in.(a,"b,c")&or=(a_int4.gt.5,a_text.like.*z)&limit=7&offset=3'),
  );
  const { text, values } = compileQuery(query);
  expect(text).toBe(
    "select count(*)::text as rows, coalesce(json_agg(rest_row.item)::text, '[]') as body from (select json_build_object($6::text, t.a_text, $7::text, (t.a_jsonb -> $8::text ->> $9::text::int)) as item from public.things as t where t.a_text = any ($1::text::pg_catalog._text) and (t.a_int4 > $2::text::pg_catalog.int4 or t.a_text like $3::text) limit $4::text::bigint offset $5::text::bigint) as rest_row",
  );
  expect(values).toEqual(['{"a","b,c"}', "5", "%z", "7", "3", "x", "k", "k", "2"]);
});

test.each<[string, Asked, RegExp]>([
  ["100 filters", of(list(100, "a_int4=eq.1").replaceAll(",", "&")), /^select/],
  ["101 filters", of(list(101, "a_int4=eq.1").replaceAll(",", "&")), /^400 A request may have 100 filters/],
  ["101 filters in one `or`", of(`or=(${list(101, "a_int4.eq.1")})`), /^400 A request may have 100 filters/],
  ["`and` ten deep", of(`and=(${"and(".repeat(9)}a_int4.eq.1${")".repeat(10)}`), /^select/],
  [
    "`and` eleven deep",
    of(`and=(${"and(".repeat(10)}a_int4.eq.1${")".repeat(11)}`),
    /^400 .* may be 10 deep/,
  ],
  ["a list of 200", of(`a_int4=in.(${list(200, "1")})`), /^select/],
  ["a list of 201", of(`a_int4=in.(${list(201, "1")})`), /^400 `in` may list 200 values/],
  ["51 columns", of(`select=${list(51, "a_int4")}`), /^400 `select` may have 50 items/],
  ["51 columns by stars", of(`select=${list(6, "*")}`), /^400 `select` may have 50 items/],
  ["36 wildcards", of(`a_text=like.${"*".repeat(36)}`), /^select/],
  ["37 wildcards", of(`a_text=not.ilike.${"_*%25".repeat(12)}_`), /^400 The patterns of a request may/],
  ["6 patterns of 2 wildcards", of(`or=(${list(6, "a_text.ilike.*x*")})`), /^select/],
  [
    "7 patterns of 2 wildcards",
    of(`or=(${list(7, "a_text.ilike.*x*")})`),
    /^400 The patterns of a request may/,
  ],
  ["11 patterns", of(list(11, "a_text=like.x").replaceAll(",", "&")), /^400 The patterns of a request may/],
  ["11 JSON keys", of(`select=a_jsonb${"->a".repeat(11)}`), /^400 A JSON path may have 10 keys/],
  ["8,193 characters", of(`a_text=eq.${"x".repeat(8_193)}`), /^400 A query may have 8192 characters/],
  [
    "1,001 rows",
    { path: "things", method: "POST", body: `[${list(1_001, "{}")}]` },
    /^400 The body may hold 1000 rows/,
  ],
  [
    "a body ten deep",
    { path: "things", method: "POST", body: `{"a_jsonb":${"[".repeat(9)}${"]".repeat(9)}}` },
    /^with/,
  ],
  [
    "a body eleven deep",
    { path: "things", method: "POST", body: `{"a_jsonb":${"[".repeat(10)}${"]".repeat(10)}}` },
    /^400 .* 10 levels deep/,
  ],
  [
    "brackets in a text",
    { path: "things", method: "POST", body: `{"a_text":"\\"${"[".repeat(99)}"}` },
    /^with/,
  ],
])("READ-02 everything that can occur many times in a request has a limit: %s", (_, asked, expected) => {
  expect(refusalOf(asked)).toMatch(expected);
});

test.each<[Asked, RegExp]>([
  [of("select=a_text&select=a_int4"), /`select` comes more than once/],
  [of("sel%65ct=a_text&select=a_int4"), /`select` comes more than once/],
  [of("order=a_text&order=a_int4"), /`order` comes more than once/],
  [of("limit=1&limit=2"), /`limit` comes more than once/],
  [of("select=a_text::int"), /Casts are not supported/],
  [of("select=count()"), /aggregate functions are not supported/],
  [of("select=a_int4.sum()"), /aggregate functions are not supported/],
  [of("select=parts(*)"), /Related tables/],
  [of("select=...parts(*)"), /Related tables/],
  [of("select=a_text!inner(*)"), /Related tables/],
  [of("select="), /`select` is a list of columns/],
  [of("parts.a_int4=eq.1"), /related tables are not supported/],
  [of("parts.or=(a_int4.eq.1)"), /related tables are not supported/],
  [of("a_text=match.x"), /Regular expressions are not offered/],
  [of("a_text=fts.x"), /This operator is not offered/],
  [of("a_text=eq(any).{x}"), /This operator is not offered/],
  [of("a_text=x"), /A filter is one of eq/],
  [of("a_text=is.x"), /`is` takes null/],
  [of("a_text=in.(a"), /does not end/],
  [of("a_text=in.(a)b"), /goes on after its value/],
  [of("or=(a_text.eq.x"), /parentheses/],
  [of("or=(a_text.eq.x))"), /goes on after its value/],
  [of("or=a_text.eq.x"), /`and` and `or` take filters/],
  [of("order=a_text.up"), /`order` is a list of columns/],
  [of("limit=-1"), /whole numbers/],
  [of("a_text=eq.%ff"), /percent-encoded UTF-8/],
  [of("a_text=eq.%00"), /null character/],
  [of("a_text=eq.%ed%a0%80"), /percent-encoded UTF-8/],
  [of("a_jsonb->>a->b=eq.1"), /`->>` gives a text/],
  [of("__proto__=eq.1"), /no column of this name/],
  [of("constructor=eq.1"), /no column of this name/],
  [{ path: "things", headers: { range: "bytes=0-1" } }, /`Range` is/],
  [{ path: "things?limit=1", method: "DELETE" }, /`limit` is not supported by this method/],
  [{ path: "things?a_int4=eq.1", method: "POST", body: "{}" }, /Filters are not supported for new rows/],
  [{ path: "things?a_int4=eq.1", method: "PATCH", body: "{}" }, /names no column/],
  [{ path: "things", method: "POST", body: '{"__proto__":1}' }, /cannot have this name/],
  [{ path: "rpc/gives_value", method: "POST", body: '{"constructor":1}' }, /cannot have this name/],
  [{ path: "things", method: "POST", body: '{"a_text":"\\u0000"}' }, /null character/],
  [{ path: "things", method: "POST", body: '{"a_text":"\\ud83c"}' }, /surrogate/],
  [{ path: "things", method: "POST", body: '[{"a_text":"x"},{"a_int4":1}]' }, /All object keys must match/],
])("READ-02 %j is refused with a message that says what is not supported", (asked, words) => {
  expect(refusalOf(asked)).toMatch(/^400 /);
  expect(refusalOf(asked)).toMatch(words);
});

test("headers added by browsers and clients change nothing", () => {
  const plain = compileQuery(read({ path: "things" }));
  for (const headers of [
    { prefer: "safe" },
    { prefer: "return=representation, return=representation" },
    { accept: "application/json, text/plain, */*" },
    { accept: "text/html;q=0.9, application/json;q=0.8" },
    { "accept-profile": "public", "content-profile": "public", "x-client-info": "x" },
  ])
    expect(compileQuery(read({ path: "things", headers }))).toEqual(plain);
});

test.each([
  ["update", "PATCH", '{"a_text":"x"}', "UPDATE"],
  ["delete", "DELETE", undefined, "DELETE"],
] as const)("BYTE-03 %s without a filter is refused as by safeupdate", (_, method, body, statement) => {
  const sent = { method, ...(body ? { body } : {}) };
  expect(refusalOf({ path: "things", ...sent })).toBe(`400 ${statement} requires a WHERE clause`);
  expect(refusalOf({ path: "things?select=a_text", ...sent })).toMatch(/requires a WHERE clause/);
  expect(refusalOf({ path: "things?a_int4=gt.0", ...sent })).toMatch(/^with t as \((?:update|delete)/);
});

test.each([
  "a_text=cd.{x}",
  "a_text=ov.{x}",
  "a_text=fts(english).x",
  "a_text=like(any).{x,y}",
  "a_text=not.eq(all).{x}",
])("%s is refused with a sentence that says so", (query) => {
  expect(refusalOf(of(query))).toMatch(/^400 This operator is not offered\. A filter is one of eq, /);
});

test("a filter or an order of a related table, and a filter after a function, are refused by name", () => {
  for (const query of ["tasks.order=id.asc", "tasks.limit=1", "parts.a_int4=eq.1"])
    expect(refusalOf(of(query))).toMatch(/^400 A filter names a column .* related tables are not supported/);
  expect(refusalOf({ path: "rpc/gives_set?first=1&a_int4=eq.1" })).toMatch(/no filters, order or select/);
});

test("unknown preferences are ignored and the first of a name counts, unless the client is strict", () => {
  const preferring = (prefer: string) => {
    const asked = { method: "POST", path: "things", body: '{"a_int4":1}', headers: { prefer } };
    return read(asked).preferences;
  };
  expect(preferring("tx=rollback, return=minimal, timezone=Europe/Madrid, return=representation")).toEqual({
    return: "minimal",
  });
  expect(preferring("handling=lenient, max-affected=1")).toEqual({});
  expect(preferring("handling=strict, return=minimal")).toEqual({ return: "minimal" });
  // supabase-js's maxAffected() is strict: ignoring it would change more rows than the caller allows.
  expect(() => preferring("handling=strict, max-affected=1")).toThrow("handling=strict");
});
