import { expect, test } from "vitest";
import { nextCheckToday } from "./too-few-figures.tsx";

test("CALM-06 the next figures are announced for the earliest check that is still to come today", () => {
  const now = new Date(2026, 10, 16, 12);
  const at = (hours: number) => new Date(2026, 10, 16, hours).toISOString();
  expect(nextCheckToday([null, at(15), at(13), at(11)], now)).toEqual(new Date(at(13)));
  expect(nextCheckToday([null, at(11), at(30)], now)).toBeNull();
});
