import { expect, test } from "vitest";
import { subjectKey, WANTED_SUBJECTS } from "#core/rules/rule.ts";
import type { Rule } from "#core/rules/rule-kinds.ts";
import { draftOf, faultOf, newLine, rulesOf, subjectsLeft } from "./rule-draft.ts";

const PLACE = { id: "00000000-0000-4000-8000-000000000001", name: "Work", latitude: 40, longitude: -3 };
const RULES: Rule[] = [
  { on: "words", are: "present", words: ["Ático", "planta baja"], act: "leave-out" },
  { on: "warning", kind: "auction", act: "leave-out" },
  { on: "advertiser", is: "agency", act: "silent" },
  { on: "zone-price", is: "above", percent: 15, act: "silent" },
  { on: "minutes", placeId: PLACE.id, by: "foot", over: 25, act: "leave-out" },
];

test("EASY-02 RULE-02 only rules that are set have a line, and the unchanged lines mean the same rules", () => {
  expect(rulesOf(draftOf(RULES), [PLACE])).toEqual(RULES);
  expect(draftOf([])).toEqual([]);
});

test("RULE-02 a rule that is added leaves homes out, and needs a value in range", () => {
  const [words, agency] = WANTED_SUBJECTS.map(newLine);
  const price = newLine({ on: "zone-price", is: "above", percent: 20 });
  if (!words || !agency) throw new Error("no wanted subjects");
  expect(rulesOf([agency], [])).toEqual([{ on: "advertiser", is: "agency", act: "leave-out" }]);
  expect(faultOf(agency)).toBe(false);
  expect(faultOf(words)).toBe(true);
  expect(faultOf({ ...words, typed: " , ático" })).toBe(false);
  expect(rulesOf([words], [])).toEqual([]);
  expect(["0", "91", "x", "", "20"].map((typed) => faultOf({ ...price, typed }))).toEqual([
    ...[true, true, true, true, false],
  ]);
});

test("EASY-02 what people want first is offered first, and nothing that is set already", () => {
  const keysOf = (rules: Rule[]) => {
    const { wanted, others } = subjectsLeft(draftOf(rules), [PLACE]);
    return { wanted: wanted.map(subjectKey), others: others.map(subjectKey) };
  };
  expect(keysOf([]).wanted).toEqual([
    "words present",
    "advertiser agency",
    "warning seasonal",
    "warning shared-flat",
    "zone-price above",
  ]);
  const left = keysOf(RULES);
  expect(left.wanted).toEqual(["warning seasonal", "warning shared-flat"]);
  expect(left.others).not.toContain("warning auction");
  expect(left.others).not.toContain("zone-price above");
  expect(left.others).toContain(`minutes ${PLACE.id} bicycle`);
});

test("RULE-02 a rule about a deleted place is not saved again", () => {
  expect(rulesOf(draftOf(RULES), [])).toEqual(RULES.slice(0, 4));
});
