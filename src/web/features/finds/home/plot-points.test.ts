import { expect, test } from "vitest";
import { priceChangesOf, stepsOf, zoneStandingOf } from "./plot-points.ts";

const at = (day: number, priceEur: number) => ({ seenAt: `2026-11-0${day}T00:00:00Z`, priceEur });
const SIZE = { width: 100, height: 10 };

test("FIND-01 the price line steps at each change, and continues to the end", () => {
  const changes = priceChangesOf([at(1, 200), at(2, 200), at(3, 150), at(4, 100)]);
  expect(changes.map(({ priceEur }) => priceEur)).toEqual([200, 150, 100]);
  expect(stepsOf(changes, "2026-11-05T00:00:00Z", SIZE)).toEqual({
    path: "M0 0H50V5H75V10H100",
    dots: [
      { x: 0, y: 0 },
      { x: 50, y: 5 },
      { x: 75, y: 10 },
    ],
    end: { x: 100, y: 10 },
  });
});

test("FIND-01 a single price is a line too", () => {
  expect(stepsOf([at(1, 200)], "2026-11-01T00:00:00Z", SIZE).path).toBe("M0 5H100");
});

test("FIND-01 a home is compared with the median of its zone and the share of cheaper homes", () => {
  expect(zoneStandingOf([10, 20, 30, 40], 25)).toEqual({ median: 25, percentBelow: 50 });
  expect(zoneStandingOf([10, 20, 30], 10)).toEqual({ median: 20, percentBelow: 0 });
});
