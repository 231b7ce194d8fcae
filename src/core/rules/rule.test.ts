import { expect, test } from "vitest";
import { INVALID_RULES, VALID_RULES } from "#test/fixtures/rules.ts";
import { parseRules, RULE_LIMITS, type Rule, typedWords, withoutRule, withRule } from "./rule.ts";

test("RULE-02 rules within the limits are read, anything else is refused", () => {
  for (const rules of VALID_RULES) expect(parseRules(rules)).toEqual(rules);
  for (const rules of INVALID_RULES) expect(parseRules(rules)).toBeUndefined();
});

test("RULE-02 unknown fields are dropped", () => {
  expect(parseRules([{ on: "advertiser", is: "agency", act: "silent", extra: 1 }])).toEqual([
    { on: "advertiser", is: "agency", act: "silent" },
  ]);
});

test("RULE-02 a rule replaces the one with the same subject", () => {
  const first: Rule = { on: "zone-price", is: "above", percent: 10, act: "silent" };
  const other: Rule = { on: "advertiser", is: "agency", act: "leave-out" };
  const again: Rule = { ...first, percent: 30, act: "leave-out" };
  expect(withRule(withRule(withRule([], first), other), again)).toEqual([other, again]);
  expect(withoutRule([first, other], again)).toEqual([other]);
});

test("RULE-02 typed words are separated, trimmed and limited; a word with and without accents is one", () => {
  expect(typedWords(" Ático, atico;  planta   baja\n , !!, Garaje")).toEqual([
    "Ático",
    "planta baja",
    "Garaje",
  ]);
  expect(typedWords(Array.from({ length: 50 }, (_, n) => `w${n}`).join(","))).toHaveLength(RULE_LIMITS.words);
  expect(typedWords("x".repeat(100))[0]).toHaveLength(RULE_LIMITS.wordLength);
});
