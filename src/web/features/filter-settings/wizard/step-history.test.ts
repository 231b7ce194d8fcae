import { expect, test } from "vitest";
import { entriesBack } from "./step-history.ts";

test("TRUE-03 going back to a step skips the entries in between", () => {
  expect(entriesBack([1, 2, 3], 1)).toBe(2);
  expect(entriesBack([1, 2, 3], 3)).toBe(0);
});

test("TRUE-03 a skipped step has no entry", () => {
  expect(entriesBack([1, 3], 2)).toBeUndefined();
  expect(entriesBack([1], 2)).toBeUndefined();
});
