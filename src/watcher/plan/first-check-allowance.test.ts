import { expect, test } from "vitest";
import { firstCheckAllowance } from "./first-check-allowance.ts";

test("MAIL-10 one person's changes of the link cannot spend a small key's month", () => {
  const usual = { atOnce: 12, everySeconds: 1_800 };
  expect(firstCheckAllowance([])).toEqual(usual);
  expect(firstCheckAllowance([null, 1_000_000])).toEqual(usual);
  expect(firstCheckAllowance([1_000_000, 100])).toEqual({ atOnce: 7, everySeconds: 370_286 });
  expect(firstCheckAllowance([0]).atOnce).toBe(3);
});
