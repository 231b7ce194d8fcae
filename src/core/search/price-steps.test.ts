import { expect, test } from "vitest";
import { priceSteps } from "./price-steps.ts";

test("START-03 the offered prices lie around what homes cost in the place, in round numbers", () => {
  expect(priceSteps("rent", 20)).toEqual([900, 1_200, 1_500, 1_900, 2_400, 3_300]);
  expect(priceSteps("sale", 4_000)).toEqual([180_000, 240_000, 300_000, 380_000, 480_000, 650_000]);
});

test("START-03 without figures, common limits are offered", () => {
  expect(priceSteps("rent", undefined)[0]).toBe(700);
  expect(priceSteps("sale", 0)[0]).toBe(150_000);
  expect(priceSteps("rent", 0.01)[0]).toBe(700);
});
