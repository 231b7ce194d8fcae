import { expect, test } from "vitest";
import { pathBeside, pathOfStart } from "./app-path.ts";
import { isInApp } from "./is-in-app.ts";

test("MINI-02 inside Telegram our pages stay below /app, and all others are left alone", () => {
  expect(["/app", "/app/finds", "/es/app/finds"].map(isInApp)).toEqual([true, true, true]);
  expect(["/", "/finds", "/application", "/es/apps"].map(isInApp)).toEqual([false, false, false, false]);
  expect(pathBeside("/app/finds", "/filter-settings?search=1")).toBe("/app/filter-settings?search=1");
  expect(pathBeside("/es/app/finds", "/es/finds?view=map")).toBe("/es/app/finds?view=map");
  expect(pathBeside("/app/finds", "/app/finds")).toBe("/app/finds");
  expect(pathBeside("/app/finds", "/profile")).toBe("/profile");
  expect(pathBeside("/finds", "/filter-settings")).toBe("/filter-settings");
});

test.each([
  [null, "/app/finds"],
  ["home-105550123", "/app/finds?home=105550123"],
  ["delete-account", "/app/finds"],
  ["home-", "/app/finds"],
  ["home-1&view=map", "/app/finds"],
  ["home-//evil.example", "/app/finds"],
  ["home-..", "/app/finds"],
  ["home-1\n", "/app/finds"],
  ["home-%2e%2e", "/app/finds"],
  ["home-1#tgWebAppData=x", "/app/finds"],
  ["HOME-1", "/app/finds"],
  ["", "/app/finds"],
  [`home-${"1".repeat(65)}`, "/app/finds"],
  ["home-__proto__", "/app/finds?home=__proto__"],
])("MINI-03 the start parameter %j opens %s and does nothing else", (parameter, path) => {
  expect(pathOfStart(parameter)).toBe(path);
});
