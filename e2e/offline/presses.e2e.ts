// The presses of two visitors: presses.long.e2e.ts has those of everybody, in all languages and widths.
import { expect } from "@playwright/test";
import { PAGE_PATHS } from "#web/lib/site/page-paths.ts";
import { test } from "../support/visitor.ts";
import { testPresses, VISITORS } from "./test-presses.ts";

test("CALM-01 everything is pressed on every page", () => {
  const visited = VISITORS.flatMap(({ paths }) => paths.map((path) => path.replace(/\?.*/, "")));
  expect(visited).toEqual(expect.arrayContaining([...PAGE_PATHS]));
});

testPresses({ visitors: VISITORS.filter(({ isShort }) => isShort), language: "en", width: 390 });
