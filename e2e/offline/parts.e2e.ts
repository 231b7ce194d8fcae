// The parts of one page for each visitor: parts.long.e2e.ts has all, in all languages and widths.
import { expect } from "@playwright/test";
import { test } from "../support/visitor.ts";
import { FILES, partsAt, testParts } from "./test-parts.ts";
import { WAYS } from "./ways-to-parts.ts";

test("CALM-01 every part of the build has a way to reach it", () => {
  expect([...FILES.keys()].sort()).toEqual(Object.keys(WAYS).sort());
});

const width = 390;
const byVisitor = Object.groupBy(partsAt(width), ([first]) => first?.[1].as ?? "");
testParts({
  groups: Object.values(byVisitor).flatMap((groups = []) => groups.slice(0, 1)),
  language: "en",
  width,
});
