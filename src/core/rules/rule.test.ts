import { expect, test } from "vitest";
import { INVALID_RULES, VALID_RULES } from "#test/fixtures/rules.ts";
import { readRules, subjectKey, subjectsOf, withoutRule, withRule } from "./rule.ts";
import { LONGEST_WORD, MOST_WORDS, typedWords } from "./rule-fields.ts";
import { RULE_KIND_NAMES, type Rule, ruleKindOf, typedFieldOf } from "./rule-kinds.ts";

test("RULE-02 rules within the limits are read, anything else is counted and does not end the others", () => {
  for (const rules of VALID_RULES) expect(readRules(rules)).toEqual({ rules, unreadable: 0 });
  const valid: Rule = { on: "advertiser", is: "agency", act: "silent" };
  for (const value of INVALID_RULES) {
    expect([value, readRules([value, valid])]).toEqual([value, { rules: [valid], unreadable: 1 }]);
  }
  for (const value of [{}, "leave-out", 1]) expect(readRules(value)).toEqual({ rules: [], unreadable: 1 });
  const many = Array.from({ length: 32 }, () => valid);
  expect(readRules(many)).toMatchObject({ rules: { length: 30 }, unreadable: 2 });
  expect(readRules(null)).toEqual({ rules: [], unreadable: 0 });
});

test("RULE-02 unknown fields are dropped", () => {
  expect(readRules([{ on: "advertiser", is: "agency", act: "silent", extra: 1 }]).rules).toEqual([
    { on: "advertiser", is: "agency", act: "silent" },
  ]);
});

test("ONE-04 each kind of rule has a letter of its own, a line in the form for each choice, and one typed field at most", () => {
  const letters = RULE_KIND_NAMES.map((on) => ruleKindOf(on).button.letter);
  expect(new Set(letters).size).toBe(letters.length);
  const places = [{ id: "00000000-0000-4000-8000-000000000001" }];
  const keys = RULE_KIND_NAMES.flatMap((on) => subjectsOf(on, places)).map(subjectKey);
  expect(new Set(keys).size).toBe(keys.length);
  for (const on of RULE_KIND_NAMES) {
    const { fields, button } = ruleKindOf(on);
    expect(subjectsOf(on, places)).not.toEqual([]);
    const typed = Object.values(fields).filter(({ is }) => is === "words" || is === "count");
    expect(typed).toEqual(typedFieldOf(on) ? [typedFieldOf(on)?.field] : []);
    // What is not in the button is what is typed: the rest names the rule.
    const unnamed = Object.keys(fields).filter((name) => !button.fields.includes(name));
    expect(unnamed.filter((name) => name !== typedFieldOf(on)?.name)).toEqual([]);
  }
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
  expect(typedWords(Array.from({ length: 50 }, (_, n) => `w${n}`).join(","))).toHaveLength(MOST_WORDS);
  expect(typedWords("x".repeat(100))[0]).toHaveLength(LONGEST_WORD);
});
