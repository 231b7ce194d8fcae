import { expect, test } from "vitest";
import { rebased } from "./change.ts";

const before = { name: "Home", quiet_from: "23:00" };

test.each([
  ["nothing else was changed", { name: "Work" }, { name: "Home" }, { name: "Work" }],
  [
    "another field was changed elsewhere",
    { name: "Work" },
    { name: "Home", quiet_from: "22:00" },
    { name: "Work" },
  ],
  ["it is so already", { name: "Work" }, { name: "Work" }, {}],
  ["the same field was changed elsewhere", { name: "Work" }, { name: "Gym" }, undefined],
  [
    "the database writes a time with seconds",
    { quiet_from: null },
    { quiet_from: "23:00:00" },
    { quiet_from: null },
  ],
])("WEB-03 a change is made over what is saved, or refused: %s", (_, mine, saved, made) => {
  expect(rebased({ before, mine }, saved)?.mine).toEqual(made);
});

test("WEB-03 sets that two devices change go together", () => {
  const change = { before: { kinds: ["a", "b"] }, mine: { kinds: ["b", "c"] } };
  expect(rebased(change, { kinds: ["a", "b", "d"] })).toEqual({
    before: { kinds: ["a", "b", "d"] },
    mine: { kinds: ["b", "d", "c"] },
  });
});

test("WEB-03 rules are compared whatever the order of their fields, and are no set", () => {
  const rule = { on: "warning", kind: "auction", act: "leave-out" } as const;
  const saved = { act: "leave-out", kind: "auction", on: "warning" } as const;
  expect(rebased({ before: { rules: [rule] }, mine: { rules: [] } }, { rules: [saved] })?.mine).toEqual({
    rules: [],
  });
  expect(
    rebased({ before: { rules: [] }, mine: { rules: [rule] } }, { rules: [{ ...rule, act: "silent" }] }),
  ).toBe(undefined);
});
