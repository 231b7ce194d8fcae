import { expect, test } from "vitest";
import { formatDate, formatPerM2, formatStay } from "./market-format.ts";

test("FIND-03 figures are formatted for each language, without line breaks inside", () => {
  expect([5230.4, 21.64].map((price) => formatPerM2(price, "en"))).toEqual(["€5,230", "€21.6"]);
  expect([5230.4, 21].map((price) => formatPerM2(price, "de"))).toEqual(["5.230\u00a0€", "21,0\u00a0€"]);
  expect(formatPerM2(5230, "es")).toBe("5.230\u00a0€");
  expect(formatPerM2(5230, "fr")).toBe("5\u202f230\u00a0€");
  expect(formatDate(new Date("2026-08-18T12:00:00Z"), "de")).toBe("18. August 2026");
  expect(formatDate(new Date("2026-08-18T12:00:00Z"), "ru")).toMatch(/^18 августа 2026.года$/);
});

test("FIND-03 a stay is shown in days, and a short one in hours", () => {
  expect([0.01, 0.5, 1.9, 2, 11.6].map((days) => formatStay(days, "en"))).toEqual([
    "1\u00a0hour",
    "12\u00a0hours",
    "46\u00a0hours",
    "2\u00a0days",
    "12\u00a0days",
  ]);
});
