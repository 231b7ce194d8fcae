import { expect, test } from "vitest";
import { type ScreenBox, riseAbove } from "./toast-place.ts";

const toast: ScreenBox = { top: 740, bottom: 820, left: 16, right: 374 };
const line = (top: number, bottom: number, left = 0): ScreenBox => ({ top, bottom, left, right: 390 });

test.each<[string, ScreenBox[], number | null]>([
  ["nothing below", [line(100, 140)], 0],
  ["a bar at the foot", [line(780, 844)], 48],
  ["a heading just above the bar", [line(780, 844), line(700, 730)], 128],
  ["a field beside it on a wide screen", [line(750, 800, 380)], 0],
  ["a field on every line", Array.from({ length: 12 }, (_, index) => line(index * 70, index * 70 + 48)), null],
])("CALM-08 a toast covers no heading, field or foot bar: %s", (_, others, rise) => {
  expect(riseAbove(toast, others, 422)).toBe(rise);
});
