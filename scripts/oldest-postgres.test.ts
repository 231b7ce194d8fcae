import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// SQL is written in lower case here, so words in messages do not count. What PostgreSQL 16, 17 and 18 added to SQL (the appendix "Release Notes" of its manual). Needs no server of version 15.
const NEWER_THAN_15 = [
  /\bis\s+(?:not\s+)?json\b/,
  /\bjson_(?:array|arrayagg|objectagg|exists|query|scalar|serialize|table|value)\s*\(/,
  /\b(?:any_value|array_(?:reverse|sample|shuffle|sort)|bit_count_|casefold|date_add|date_subtract)\s*\(/,
  /\b(?:erfc?|l?gamma|random_normal|to_bin|to_oct|uuidv[47]|uuid_extract_\w+|xmltext|unicode_assigned)\s*\(/,
  /\bpg_input_(?:is_valid|error_info)\s*\(/,
  /\brandom\(\s*[^)\s]/,
  /\bat\s+local\b|\bsystem_user\b|\btransaction_timeout\b|\bwithout\s+overlaps\b|\bnot\s+enforced\b/,
  /\breturning\s+(?:with\b|old\.|new\.)|\bwhen\s+not\s+matched\s+by\s+source\b|\bmerge_action\s*\(/,
  /\bgenerated\s+always\s+as\s*\([^)]*\)\s*(?:virtual|,)/,
  /\bwith\s+(?:inherit|set|admin)\s+(?:true|false|option,)/,
];

const SQL = globSync(["supabase/**/*.sql", "src/**/*.sql", "src/**/*.ts"]).filter(
  (path) => !path.endsWith(".test.ts"),
);

test("RUN-01 no SQL uses what PostgreSQL 15 does not have", () => {
  expect(SQL.length).toBeGreaterThan(100);
  const found = SQL.flatMap((path) => {
    const text = withoutComments(readFileSync(path, "utf8"));
    return NEWER_THAN_15.flatMap((newer) => newer.exec(text)?.[0] ?? []).map((words) => `${path}: ${words}`);
  });
  expect(found).toEqual([]);
});

test("RUN-01 newer SQL is recognised", () => {
  const newer = [
    "x is json",
    "select any_value(a)",
    "json_table(a",
    "uuidv7()",
    "random(1, 2)",
    "returning new.id",
  ];
  expect(newer.filter((text) => !NEWER_THAN_15.some((one) => one.test(text)))).toEqual([]);
});

const withoutComments = (text: string) => text.replace(/--.*$|^\s*(?:\/\/|\*|\/\*).*$/gm, "");
