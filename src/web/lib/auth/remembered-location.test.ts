import { expect, test } from "vitest";
import { rememberedLocation } from "./remembered-location.ts";

test("ROUTE-09 the remembered location is a path of ours", () => {
  expect(rememberedLocation({ from: "/es/profile?tab=1#a" })).toBe("/es/profile?tab=1#a");
});

test("ROUTE-09 anything else is not followed", () => {
  for (const state of [
    null,
    undefined,
    "x",
    {},
    { from: 3 },
    { from: "//evil.example" },
    { from: "https://evil.example" },
  ]) {
    expect(rememberedLocation(state)).toBeNull();
  }
});
