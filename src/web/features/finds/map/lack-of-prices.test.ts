import { expect, test } from "vitest";
import { lackOfPrices } from "./lack-of-prices.ts";

const LOADING = { hasFigures: false, isAnswered: false, isMissing: false, isPaused: false };

test.each([
  ["they are loading", {}, undefined],
  ["they wait for a connection", { isPaused: true }, "offline"],
  ["they could not be loaded", { isMissing: true }, "failed"],
  ["there are none", { isAnswered: true }, "figures"],
  ["there are some", { isAnswered: true, hasFigures: true }, undefined],
])("CALM-01 the map says why it shows no prices: %s", (_, change, lack) => {
  expect(lackOfPrices({ ...LOADING, ...change })).toBe(lack);
});
