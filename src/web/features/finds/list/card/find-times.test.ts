import { expect, test } from "vitest";
import { durationOf } from "./find-times.tsx";

const after = (minutes: number) =>
  durationOf("2026-11-16T12:00:00Z", new Date(Date.UTC(2026, 10, 16, 12, minutes)).toISOString());

test("FIND-01 the time until a home was gone is in minutes, hours or days, at least one minute", () => {
  expect([0, 41, 119, 120, 2_000, 2_880, 10_080].map(after)).toEqual([
    { unit: "minutes", count: 1 },
    { unit: "minutes", count: 41 },
    { unit: "minutes", count: 119 },
    { unit: "hours", count: 2 },
    { unit: "hours", count: 33 },
    { unit: "days", count: 2 },
    { unit: "days", count: 7 },
  ]);
});
