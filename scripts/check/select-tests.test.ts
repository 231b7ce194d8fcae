import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { selectTests } from "./select-tests.ts";

test("a folder selects the tests below it, a file those beside it, and neither a long one", async () => {
  const { vitest, browser, title } = await selectTests(["src/core/geo/", "e2e/offline"]);
  expect(vitest).toContain("src/core/geo/polyline.test.ts");
  expect(vitest.every((file) => file.startsWith("src/core/geo/"))).toBe(true);
  expect(browser).toContain("e2e/offline/queue.e2e.ts");
  expect(browser.filter((file) => !file.startsWith("e2e/offline/") || file.includes(".long."))).toEqual([]);
  expect(title).toBeUndefined();
  expect((await selectTests(["src/core/geo/polyline.ts"])).vitest).toEqual(["src/core/geo/polyline.test.ts"]);
});

test("a requirement selects every test that names it", async () => {
  const { vitest, browser, title = "" } = await selectTests(["CALM-01"]);
  expect(browser.length).toBeGreaterThan(0);
  for (const file of [...vitest, ...browser]) expect(readFileSync(file, "utf8")).toMatch(new RegExp(title));
  expect("CALM-01 everything").toMatch(new RegExp(title));
  expect("CALM-011 nothing").not.toMatch(new RegExp(title));
});

test("a folder and a requirement select what is in both", async () => {
  const { browser, vitest } = await selectTests(["CALM-01", "e2e/offline"]);
  expect([vitest, browser.filter((file) => !file.startsWith("e2e/offline/"))]).toEqual([[], []]);
});
