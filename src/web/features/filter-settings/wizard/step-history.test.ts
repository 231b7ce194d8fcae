import { expect, test } from "vitest";
import { entriesBack } from "./step-history.ts";

test("TRUE-03 the way back to a step is as many entries as there are between", () => {
  expect(entriesBack([1, 2, 3], 1)).toBe(2);
  expect(entriesBack([1, 2, 3], 3)).toBe(0);
});

test("TRUE-03 a step that was passed over has no entry", () => {
  expect(entriesBack([1, 3], 2)).toBeUndefined();
  expect(entriesBack([1], 2)).toBeUndefined();
});
