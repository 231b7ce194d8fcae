import { expect, test } from "vitest";
import type { Rule } from "#core/rules/rule-kinds.ts";
import { draftOf, faultOf, rulesOf } from "./rule-draft.ts";

const PLACE = { id: "00000000-0000-4000-8000-000000000001", name: "Work", latitude: 40, longitude: -3 };
const RULES: Rule[] = [
  { on: "warning", kind: "auction", act: "leave-out" },
  { on: "advertiser", is: "agency", act: "silent" },
  { on: "words", are: "present", words: ["Ático", "planta baja"], act: "leave-out" },
  { on: "zone-price", is: "above", percent: 15, act: "silent" },
  { on: "minutes", placeId: PLACE.id, by: "foot", over: 25, act: "leave-out" },
];

test("RULE-02 saved rules fill the form, and the unchanged form means the same rules", () => {
  expect(rulesOf(draftOf(RULES, [PLACE]))).toEqual(RULES);
  expect(rulesOf(draftOf([], [PLACE]))).toEqual([]);
});

test("RULE-02 a line that does something needs a value in range; typed words stay when the line only alerts", () => {
  const lines = draftOf([], [PLACE]);
  const lineOf = (key: string) => {
    const found = lines.find((line) => line.key === key);
    if (!found) throw new Error(key);
    return found;
  };
  const words = lineOf("words present");
  expect(faultOf({ ...words, act: "leave-out" })).toBe(true);
  expect(faultOf({ ...words, act: "leave-out", typed: " , ático" })).toBe(false);
  expect(rulesOf([{ ...words, typed: "ático" }])).toEqual([
    { on: "words", are: "present", words: ["ático"], act: "alert" },
  ]);
  const price = lineOf("zone-price above");
  expect(["0", "91", "x", "", "20"].map((typed) => faultOf({ ...price, typed, act: "silent" }))).toEqual([
    ...[true, true, true, true, false],
  ]);
});

test("RULE-02 a rule about a deleted place is not saved again", () => {
  expect(rulesOf(draftOf(RULES, []))).toEqual(RULES.slice(0, 4));
});
