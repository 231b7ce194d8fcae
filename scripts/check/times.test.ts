import { expect, test } from "vitest";
import { componentOf, describeTimes, timesOf } from "./times.ts";

const BUDGETS = {
  checks: {},
  unit: { "src/core": 20 },
  database: { "src/a": 100, "src/b": 100, "src/c": 40 },
  browser: {},
};
const took = (component: string, seconds: number) => ({
  kind: "database" as const,
  file: `${component}/x.db.test.ts`,
  durationMs: seconds * 1000,
});
const over = (files: Parameters<typeof timesOf>[0]) =>
  timesOf(files, BUDGETS)
    .rows.filter(({ isOver }) => isOver)
    .map(({ component }) => component);

test("a component is a folder of src or e2e, otherwise the top folder", () => {
  const nameOf = (file: string) => componentOf({ kind: "unit", file });
  expect(
    ["src/web/lib/a.test.ts", "e2e/finds/a.e2e.ts", "e2e/a.e2e.ts", "supabase/tests/a.db.test.ts"].map(
      nameOf,
    ),
  ).toEqual(["src/web", "e2e/finds", "e2e", "supabase"]);
});

test("a component is over its budget by more than half", () => {
  expect(over([took("src/a", 100), took("src/b", 149), took("src/c", 40)])).toEqual([]);
  expect(over([took("src/a", 100), took("src/b", 151), took("src/c", 40)])).toEqual(["src/b"]);
});

test("on a slow machine all budgets of a kind grow, and one component that takes longer is still seen", () => {
  expect(over([took("src/a", 300), took("src/b", 310), took("src/c", 130)])).toEqual([]);
  expect(over([took("src/a", 300), took("src/b", 310), took("src/c", 200)])).toEqual(["src/c"]);
});

test("a quick machine does not lower the budgets", () => {
  expect(over([took("src/a", 20), took("src/b", 20), took("src/c", 40)])).toEqual([]);
});

test("a component without a budget may take as long as a small one", () => {
  const known = [took("src/a", 100), took("src/b", 100)];
  expect(over([...known, took("src/new", 20)])).toEqual([]);
  expect(over([...known, took("src/new", 30)])).toEqual(["src/new"]);
});

test("a kind that has no budgets yet is not judged", () => {
  const file = { kind: "browser" as const, file: "e2e/finds/a.e2e.ts", durationMs: 900_000 };
  expect(timesOf([file], { database: {} }).rows.map(({ isOver }) => isOver)).toEqual([false]);
});

test("the time of a component is that of all its files", () => {
  const times = timesOf(
    [took("src/a", 100), { ...took("src/a", 60), file: "src/a/deep/y.db.test.ts" }, took("src/b", 100)],
    BUDGETS,
  );
  expect(times.rows.map(({ component, seconds }) => [component, seconds])).toEqual([
    ["src/a", 160],
    ["src/b", 100],
  ]);
  expect(describeTimes(times)).toMatch(/✗ src\/a \(database\) took more than half/);
});
