import { postgresChangesFilter } from "@supabase/supabase-js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { filterSql, parseFilter } from "./filter.ts";

const condition = (column: string, operator: string, values: string[], isNegated = false) => ({
  column,
  operator,
  values,
  isNegated,
});

for (const [text, expected] of [
  ["", []],
  ["user_id=eq.42", [condition("user_id", "eq", ["42"])]],
  ["body=eq.", [condition("body", "eq", [""])]],
  ["body=eq.a=b.c", [condition("body", "eq", ["a=b.c"])]],
  ["body=eq.Hello, world", [condition("body", "eq", ["Hello, world"])]],
  ['body=eq."Hello, \\"world\\""', [condition("body", "eq", ['Hello, "world"'])]],
  ['body=eq."unclosed', [condition("body", "eq", ['"unclosed'])]],
  ["a=gt.1,b=lte.2", [condition("a", "gt", ["1"]), condition("b", "lte", ["2"])]],
  ["a=in.(1,2, 3 )", [condition("a", "in", ["1", "2", "3"])]],
  ['a=in.("x,y",z),b=eq.1', [condition("a", "in", ["x,y", "z"]), condition("b", "eq", ["1"])]],
  ["a=not.is.null", [condition("a", "is", ["null"], true)]],
] as const) {
  test(`the filter ${JSON.stringify(text)} is understood`, () => {
    expect(parseFilter(text)).toEqual({ ok: true, conditions: expected });
  });
}

for (const [text, reason] of [
  ["user_id", "expected column=operator.value"],
  ["user_id=42", "expected column=operator.value"],
  ["=eq.1", "expected column=operator.value"],
  ["a=near.1", "unknown operator near"],
  ["a=toString.1", "expected column=operator.value"],
  ["a=match.(x+)+", "unknown operator match"],
  ["a=in.1", "in takes a list in parentheses"],
  ["a=in.(1", "the list is not closed"],
  ["a=in.()", "the list is not closed"],
  ["a=in.(1)x", "unexpected text after the list"],
  [`a=in.(${Array.from({ length: 101 }, (_, n) => n)})`, "more than 100 values"],
  [Array.from({ length: 11 }, (_, n) => `c${n}=eq.1`).join(","), "more than 10 conditions"],
  ["a=is.null; drop table notes", "is takes null, true, false, unknown"],
  ['a=eq."1",', "nothing follows the last comma"],
] as const) {
  test(`the filter ${JSON.stringify(text.slice(0, 40))} is refused: ${reason}`, () => {
    expect(parseFilter(text)).toEqual({ ok: false, reason });
  });
}

test("what the client's own builder writes is read back as it was meant", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }),
      (value, list) => {
        const distinct = [...new Set(list)];
        const text = postgresChangesFilter().eq("a", value).in("b", distinct).neq("c", "end").build();
        // The builder leaves a value bare that looks like the start of another condition only after a comma,
        // and commas are always quoted.
        expect(parseFilter(text)).toEqual({
          ok: true,
          conditions: [
            condition("a", "eq", [value]),
            condition("b", "in", distinct),
            condition("c", "neq", ["end"]),
          ],
        });
      },
    ),
  );
});

test("values reach SQL only as bound parameters", () => {
  const values: string[] = [];
  const bind = (value: string) => `$${values.push(value)}`;
  const parsed = parseFilter("a=eq.x' or true --");
  const [first] = parsed.ok ? parsed.conditions : [];
  expect(first && filterSql(first, { target: 't."a"', sqlType: "text", bind })).toBe(
    'coalesce(t."a" = $1::text, false)',
  );
  expect(values).toEqual(["x' or true --"]);
});
